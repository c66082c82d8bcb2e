/* SPDX-License-Identifier: MIT */
/* dropout.c - in training drops a fraction of the units and scales up the others. */
#include "nn/emit.h"
#include "nn/layers/layer.h"

static const qs_attr attrs[] = {
    QS_ARG_NUMBER("rate", NULL, 0, 1, "fraction that is dropped"),
    QS_ARG_SEED,
    QS_ARG_FIXED("noise_shape", "null"),
    {0},
};

static qs_status emit(QS_EMIT_ARGS)
{
    const float rate = (float)layer->spec->value[0].number;
    *out = in;
    if (rate >= 1)
        return qs_fail(err, QS_E_UNSUPPORTED, "rate 1 drops everything");
    if (rate > 0) {
        qs_call *c = qs_emit_same(graph, QS_OP_dropout, qs_emit_layer(model, layer), in, out);
        c->dim[1] = qs_emit_layer(model, layer);
        c->arg[0] = rate;
    }
    return QS_OK;
}

const qs_layer_kind qs_layer_dropout = {
    .kind = {"dropout", "Dropout", NULL, attrs, "drops units at random in training", "rate"},
    .infer = qs_layer_infer_same,
    .emit = emit,
};
