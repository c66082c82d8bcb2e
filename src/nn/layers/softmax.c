/* SPDX-License-Identifier: MIT */
/* softmax.c - exp(x) / sum of exp(x) over the last axis. */
#include "nn/emit.h"
#include "nn/layers/layer.h"

enum { AXIS };

static const qs_attr attrs[] = {
    [AXIS] = {"axis", QS_ATTR_INTEGER, "-1", 0, 0, NULL, "only the last"},
    {0},
};

static qs_status infer(qs_model *model, qs_layer *layer, qs_error *err)
{
    QS_TRY(qs_layer_last_axis(layer, &layer->spec->value[AXIS], err));
    return qs_layer_infer_same(model, layer, err);
}

static qs_status emit(QS_EMIT_ARGS)
{
    (void)err;
    *out = qs_emit_softmax(graph, qs_emit_layer(model, layer), QS_OP_softmax, &layer->out, in);
    return QS_OK;
}

const qs_layer_kind qs_layer_softmax = {
    .kind = {"softmax", "Softmax", NULL, attrs, "outputs become probabilities", NULL},
    .infer = infer,
    .emit = emit,
};
