/* SPDX-License-Identifier: MIT */
/* leaky_relu.c - y = x, or slope x below zero. */
#include "nn/layers/layer.h"

static const qs_attr attrs[] = {
    QS_ARG_NUMBER("negative_slope", "0.3", 0, 1e30, "slope below zero"),
    {0},
};

const qs_layer_kind qs_layer_leaky_relu = {
    .kind = {"leaky_relu", "LeakyReLU", "leaky_re_lu", attrs, "max(x, slope x)", "negative_slope"},
    .infer = qs_layer_infer_same,
};
