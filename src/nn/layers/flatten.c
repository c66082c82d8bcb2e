/* SPDX-License-Identifier: MIT */
/* flatten.c - a sample becomes one axis; no arithmetic. */
#include "nn/emit.h"
#include "nn/layers/layer.h"

static const qs_attr attrs[] = {
    QS_ARG_FIXED("data_format", "channels_last"),
    {0},
};

static qs_status infer(qs_model *model, qs_layer *layer, qs_error *err)
{
    (void)model, (void)err;
    layer->out = (qs_shape){.rank = 1, .dim = {qs_shape_count(&layer->in)}};
    return QS_OK;
}

/* Elements keep their order: nothing to run. */
static qs_status emit(QS_EMIT_ARGS)
{
    (void)graph, (void)model, (void)layer, (void)err;
    *out = in;
    return QS_OK;
}

const qs_layer_kind qs_layer_flatten = {
    .kind = {"flatten", "Flatten", NULL, attrs, "a sample becomes one axis", NULL},
    .infer = infer,
    .emit = emit,
};
