/* SPDX-License-Identifier: MIT */
/* elu.c - y = x, or alpha (exp(x) - 1) below zero. */
#include "nn/emit.h"
#include "nn/layers/layer.h"

static const qs_attr attrs[] = {
    QS_ARG_NUMBER("alpha", "1", -1e30, 1e30, "minus the limit for small inputs"),
    {0},
};

static qs_status emit(QS_EMIT_ARGS)
{
    (void)err;
    const float arg[] = {(float)layer->spec->value[0].number};
    *out = qs_emit_elementwise(graph, qs_emit_layer(model, layer), QS_ACTIVATION_elu, arg, 1, in);
    return QS_OK;
}

const qs_layer_kind qs_layer_elu = {
    .kind = {"elu", "ELU", NULL, attrs, "smooth below zero", "alpha"},
    .infer = qs_layer_infer_same,
    .emit = emit,
};
