/* SPDX-License-Identifier: MIT */
/* relu.c - y = x above the threshold, cut at max_value; slope (x - threshold) below it. */
#include <math.h>

#include "nn/emit.h"
#include "nn/layers/layer.h"

enum { MAX_VALUE, NEGATIVE_SLOPE, THRESHOLD };

static const qs_attr attrs[] = {
    QS_ARG_NUMBER("max_value", "null", 0, 1e30, "largest output"),
    QS_ARG_NUMBER("negative_slope", "0", 0, 1e30, "slope below the threshold"),
    QS_ARG_NUMBER("threshold", "0", 0, 1e30, "where the output begins to follow the input"),
    {0},
};

static qs_status emit(QS_EMIT_ARGS)
{
    (void)err;
    const qs_value *value = layer->spec->value;
    const float arg[] = {(float)value[NEGATIVE_SLOPE].number,
                         value[MAX_VALUE].null ? INFINITY : (float)value[MAX_VALUE].number,
                         (float)value[THRESHOLD].number};
    const bool plain = arg[0] == 0 && arg[1] == INFINITY && arg[2] == 0;
    *out = qs_emit_elementwise(graph, qs_emit_layer(model, layer),
                               plain ? QS_ACTIVATION_relu : QS_ACTIVATION_relu_general, arg, 3, in);
    return QS_OK;
}

const qs_layer_kind qs_layer_relu = {
    .kind = {"relu", "ReLU", "re_lu", attrs, "max(x, 0), with a slope, a ceiling and a threshold",
             NULL},
    .infer = qs_layer_infer_same,
    .emit = emit,
};
