/* SPDX-License-Identifier: MIT */
/* relu.c - y = x above the threshold, cut at max_value; slope (x - threshold) below it. */
#include "nn/layers/layer.h"

static const qs_attr attrs[] = {
    QS_ARG_NUMBER("max_value", "null", 0, 1e30, "largest output"),
    QS_ARG_NUMBER("negative_slope", "0", 0, 1e30, "slope below the threshold"),
    QS_ARG_NUMBER("threshold", "0", 0, 1e30, "where the output begins to follow the input"),
    {0},
};

const qs_layer_kind qs_layer_relu = {
    .kind = {"relu", "ReLU", "re_lu", attrs, "max(x, 0), with a slope, a ceiling and a threshold",
             NULL},
    .infer = qs_layer_infer_same,
};
