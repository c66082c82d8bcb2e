/* SPDX-License-Identifier: MIT */
/* normalization.c - y = (x - mean) / max(sqrt(variance), 1e-7) with statistics that are given or
 * were adapted to data before training; inverted: y = mean + x max(sqrt(variance), 1e-7). */
#include <math.h>

#include "base/alloc.h"
#include "nn/emit.h"
#include "nn/layers/layer.h"

enum { AXIS, INVERT, MEAN, VARIANCE };

static const qs_attr attrs[] = {
    [AXIS] = {"axis", QS_ATTR_NUMBERS, "[-1]", 0, 0, "integer|bare",
              "the last: statistics for each channel; none, []: one for all"},
    [INVERT] = QS_ARG_BOOL("invert", "false", "undo instead"),
    [MEAN] = {"mean", QS_ATTR_NUMBERS, "null", 0, 0, "bare", "one number, or one a channel"},
    [VARIANCE] = {"variance", QS_ATTR_NUMBERS, "null", 0, 0, "bare", "as mean"},
    {0},
};

/* mean [channels], variance [channels], count []: in Keras' order, never trained. */
static qs_status declare(qs_model *model, qs_layer *layer, const qs_shape *shape, qs_error *err)
{
    const qs_spec *zeros, *ones;
    const qs_shape scalar = {0};
    QS_TRY(qs_spec_parse(&model->arena, &qs_initializer_registry, "zeros", &zeros, err));
    QS_TRY(qs_spec_parse(&model->arena, &qs_initializer_registry, "ones", &ones, err));
    if (!qs_model_declare(model, layer, "mean", shape, false, zeros) ||
        !qs_model_declare(model, layer, "variance", shape, false, ones) ||
        !qs_model_declare(model, layer, "count", &scalar, false, zeros))
        return qs_fail_memory(err, sizeof(qs_weight), "a weight");
    return QS_OK;
}

static qs_status infer(qs_model *model, qs_layer *layer, qs_error *err)
{
    const qs_value *value = layer->spec->value;
    const bool all = value[AXIS].count == 0;
    if (!all)
        QS_TRY(qs_layer_last_axis(layer, &value[AXIS], err));
    layer->out = layer->in;

    const size_t channels = layer->in.dim[layer->in.rank - 1];
    const qs_shape shape = {.rank = all ? 0 : 1, .dim = {channels}};
    if (value[MEAN].null && value[VARIANCE].null)
        return declare(model, layer, &shape, err);
    const size_t n = value[MEAN].count, m = value[VARIANCE].count;
    if (n != m || (n != 1 && (all || n != channels)))
        return qs_fail(
            err, QS_E_SHAPE,
            "mean has %zu numbers and variance %zu; both need 1, or %zu as the last axis", n, m,
            channels);
    return QS_OK;
}

/* Number c of `list` (one for all, or one a channel), or of the layer's weight `index` (before
 * any data are there: mean 0, variance 1). */
static double statistic(const qs_model *model, const qs_layer *layer, int attr, int index, size_t c)
{
    const qs_value *given = &layer->spec->value[attr];
    if (!given->null)
        return given->list[given->count > 1 ? c : 0];
    const float *data = model->weight[layer->first_weight + index].data;
    return data ? (double)data[c] : index;
}

static qs_status emit(QS_EMIT_ARGS)
{
    const qs_value *value = layer->spec->value;
    const bool own = value[MEAN].null, invert = value[INVERT].number != 0;
    const size_t channels =
        own ? qs_shape_count(&model->weight[layer->first_weight].shape) : value[MEAN].count;
    float *table = qs_calloc(3 * channels, sizeof *table); /* scale, offset, centre */
    if (!table)
        return qs_fail_memory(err, 3.0 * (double)channels * sizeof *table, "a table of factors");
    for (size_t c = 0; c < channels; c++) {
        const double mean = statistic(model, layer, MEAN, 0, c);
        const double spread = fmax(sqrt(statistic(model, layer, VARIANCE, 1, c)), 1e-7);
        table[c] = (float)(invert ? spread : 1 / spread);
        table[(invert ? channels : 2 * channels) + c] = (float)mean;
    }
    *out = qs_emit_affine(graph, qs_emit_layer(model, layer), table, channels, in);
    qs_free(table);
    return QS_OK;
}

const qs_layer_kind qs_layer_normalization = {
    .kind = {"normalization", "Normalization", NULL, attrs, "subtracts a mean, divides by a spread",
             NULL},
    .infer = infer,
    .emit = emit,
};
