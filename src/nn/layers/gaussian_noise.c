/* SPDX-License-Identifier: MIT */
/* gaussian_noise.c - in training adds normal noise of mean 0. */
#include "nn/layers/layer.h"

static const qs_attr attrs[] = {
    QS_ARG_NUMBER("stddev", NULL, 0, 1e30, "standard deviation"),
    QS_ARG_SEED,
    {0},
};

const qs_layer_kind qs_layer_gaussian_noise = {
    .kind = {"gaussian_noise", "GaussianNoise", NULL, attrs, "adds normal noise in training",
             "stddev"},
    .infer = qs_layer_infer_same,
};
