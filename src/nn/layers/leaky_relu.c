/* SPDX-License-Identifier: MIT */
/* leaky_relu.c - y = x, or slope x below zero. */
#include "nn/emit.h"
#include "nn/layers/layer.h"

static const qs_attr attrs[] = {
    QS_ARG_NUMBER("negative_slope", "0.3", 0, 1e30, "slope below zero"),
    {0},
};

static qs_status emit(QS_EMIT_ARGS)
{
    (void)err;
    const float arg[] = {(float)layer->spec->value[0].number};
    *out = qs_emit_elementwise(graph, qs_emit_layer(model, layer), QS_ACTIVATION_leaky_relu, arg, 1,
                               in);
    return QS_OK;
}

const qs_layer_kind qs_layer_leaky_relu = {
    .kind = {"leaky_relu", "LeakyReLU", "leaky_re_lu", attrs, "max(x, slope x)", "negative_slope"},
    .infer = qs_layer_infer_same,
    .emit = emit,
};
