/* SPDX-License-Identifier: MIT */
/* activation.c - any activation as a layer of its own, element by element or softmax. */
#include "nn/emit.h"
#include "nn/layers/layer.h"

static const qs_attr attrs[] = {
    QS_ARG_ACTIVATION(NULL, "its name"),
    QS_ARG_REGULARIZER("activity_regularizer", "penalty on the output, divided by the batch size"),
    {0},
};

static qs_status emit(QS_EMIT_ARGS)
{
    (void)err;
    const int id = qs_emit_layer(model, layer);
    *out = qs_emit_activation(graph, id, layer->spec->value[0].spec, &layer->out, in);
    qs_emit_activity(graph, id, layer->spec->value[1].spec, *out);
    return QS_OK;
}

const qs_layer_kind qs_layer_activation = {
    .kind = {"activation", "Activation", NULL, attrs, "an activation by name", "activation"},
    .infer = qs_layer_infer_same,
    .emit = emit,
};
