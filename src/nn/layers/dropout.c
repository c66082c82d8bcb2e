/* SPDX-License-Identifier: MIT */
/* dropout.c - in training drops a fraction of the units and scales up the others. */
#include "nn/layers/layer.h"

static const qs_attr attrs[] = {
    QS_ARG_NUMBER("rate", NULL, 0, 1, "fraction that is dropped"),
    QS_ARG_SEED,
    QS_ARG_FIXED("noise_shape", "null"),
    {0},
};

const qs_layer_kind qs_layer_dropout = {
    .kind = {"dropout", "Dropout", NULL, attrs, "drops units at random in training", "rate"},
    .infer = qs_layer_infer_same,
};
