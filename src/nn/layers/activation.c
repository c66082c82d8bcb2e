/* SPDX-License-Identifier: MIT */
/* activation.c - any activation as a layer of its own, element by element or softmax. */
#include "nn/layers/layer.h"

static const qs_attr attrs[] = {
    QS_ARG_ACTIVATION(NULL, "its name"),
    QS_ARG_REGULARIZER("activity_regularizer", "penalty on the output, divided by the batch size"),
    {0},
};

const qs_layer_kind qs_layer_activation = {
    .kind = {"activation", "Activation", NULL, attrs, "an activation by name", "activation"},
    .infer = qs_layer_infer_same,
};
