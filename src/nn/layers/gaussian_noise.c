/* SPDX-License-Identifier: MIT */
/* gaussian_noise.c - in training adds normal noise of mean 0. */
#include "nn/emit.h"
#include "nn/layers/layer.h"

static const qs_attr attrs[] = {
    QS_ARG_NUMBER("stddev", NULL, 0, 1, "standard deviation; Keras takes no more than 1"),
    QS_ARG_SEED,
    {0},
};

static qs_status emit(QS_EMIT_ARGS)
{
    (void)err;
    qs_call *c = qs_emit_same(graph, QS_OP_noise, qs_emit_layer(model, layer), in, out);
    c->dim[1] = qs_emit_layer(model, layer);
    c->arg[0] = (float)layer->spec->value[0].number;
    return QS_OK;
}

const qs_layer_kind qs_layer_gaussian_noise = {
    .kind = {"gaussian_noise", "GaussianNoise", NULL, attrs, "adds normal noise in training",
             "stddev"},
    .infer = qs_layer_infer_same,
    .emit = emit,
};
