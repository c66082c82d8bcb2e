/* SPDX-License-Identifier: MIT */
/* normalization.c - y = (x - mean) / max(sqrt(variance), 1e-7) with statistics that are given or
 * were adapted to data before training; inverted: y = mean + x max(sqrt(variance), 1e-7). */
#include "nn/layers/layer.h"

enum { AXIS, INVERT, MEAN, VARIANCE };

static const qs_attr attrs[] = {
    [AXIS] = {"axis", QS_ATTR_NUMBERS, "[-1]", 0, 0, "integer",
              "the last: statistics for each channel; none, []: one for all"},
    [INVERT] = QS_ARG_BOOL("invert", "false", "undo instead"),
    [MEAN] = {"mean", QS_ATTR_NUMBERS, "null", 0, 0, NULL, "one number, or one a channel"},
    [VARIANCE] = {"variance", QS_ATTR_NUMBERS, "null", 0, 0, NULL, "as mean"},
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

const qs_layer_kind qs_layer_normalization = {
    .kind = {"normalization", "Normalization", NULL, attrs, "subtracts a mean, divides by a spread",
             NULL},
    .infer = infer,
};
