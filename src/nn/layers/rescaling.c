/* SPDX-License-Identifier: MIT */
/* rescaling.c - y = x scale + offset. */
#include "nn/layers/layer.h"

enum { SCALE, OFFSET };

static const qs_attr attrs[] = {
    [SCALE] = {"scale", QS_ATTR_NUMBERS, NULL, 0, 0, NULL, "one factor, or one a channel"},
    [OFFSET] = {"offset", QS_ATTR_NUMBERS, "0", 0, 0, NULL, "one term, or one a channel"},
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

const qs_layer_kind qs_layer_rescaling = {
    .kind = {"rescaling", "Rescaling", NULL, attrs, "multiplies and adds a constant", "scale"},
    .infer = infer,
};
