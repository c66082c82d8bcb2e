/* SPDX-License-Identifier: MIT */
/* rescaling.c - y = x scale + offset. */
#include "base/alloc.h"
#include "nn/emit.h"
#include "nn/layers/layer.h"

enum { SCALE, OFFSET };

static const qs_attr attrs[] = {
    [SCALE] = {"scale", QS_ATTR_NUMBERS, NULL, 0, 0, "bare", "one factor, or one a channel"},
    [OFFSET] = {"offset", QS_ATTR_NUMBERS, "0", 0, 0, "bare", "one term, or one a channel"},
    {0},
};

/* One number for all, or one for each element of the last axis. */
static qs_status infer(qs_model *model, qs_layer *layer, qs_error *err)
{
    const size_t channels = layer->in.dim[layer->in.rank - 1];
    for (int i = SCALE; i <= OFFSET; i++) {
        const size_t n = layer->spec->value[i].count;
        if (n != 1 && n != channels)
            return qs_fail(err, QS_E_SHAPE, "%s has %zu numbers, not 1 or %zu as the last axis",
                           attrs[i].name, n, channels);
    }
    return qs_layer_infer_same(model, layer, err);
}

static qs_status emit(QS_EMIT_ARGS)
{
    const qs_value *scale = &layer->spec->value[SCALE], *offset = &layer->spec->value[OFFSET];
    const size_t channels = scale->count > offset->count ? scale->count : offset->count;
    float *table = qs_calloc(3 * channels, sizeof *table);
    if (!table)
        return qs_fail_memory(err, 3.0 * (double)channels * sizeof *table, "a table of factors");
    for (size_t c = 0; c < channels; c++) {
        table[c] = (float)scale->list[scale->count > 1 ? c : 0];
        table[channels + c] = (float)offset->list[offset->count > 1 ? c : 0];
    }
    *out = qs_emit_affine(graph, qs_emit_layer(model, layer), table, channels, in);
    qs_free(table);
    return QS_OK;
}

const qs_layer_kind qs_layer_rescaling = {
    .kind = {"rescaling", "Rescaling", NULL, attrs, "multiplies and adds a constant", "scale"},
    .infer = infer,
    .emit = emit,
};
