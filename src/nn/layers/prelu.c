/* SPDX-License-Identifier: MIT */
/* prelu.c - y = x, or alpha x below zero, with alpha learned for each element of a sample. */
#include "nn/emit.h"
#include "nn/layers/layer.h"

enum { SHARED_AXES = 3 };

static const qs_attr attrs[] = {
    QS_ARG_INITIALIZER("alpha_initializer", "zeros", "of alpha"),
    QS_ARG_REGULARIZER("alpha_regularizer", "penalty on alpha"),
    QS_ARG_CONSTRAINT("alpha_constraint", "put on alpha after each update"),
    [SHARED_AXES] = {"shared_axes", QS_ATTR_NUMBERS, "null", 1, QS_MAX_RANK, "integer",
                     "axes along which alpha is the same; the first of a sample is 1"},
    {0},
};

/* alpha [as a sample, 1 where shared] */
static qs_status infer(qs_model *model, qs_layer *layer, qs_error *err)
{
    const qs_value *shared = &layer->spec->value[SHARED_AXES];
    qs_shape alpha = layer->in;
    for (size_t i = 0; i < shared->count; i++) {
        const int axis = (int)shared->list[i];
        if (axis > alpha.rank)
            return qs_fail(err, QS_E_SHAPE, "shared axis %d is not there: a sample has %d", axis,
                           alpha.rank);
        alpha.dim[axis - 1] = 1;
    }
    layer->out = layer->in;
    return qs_layer_weight(model, layer, "alpha", &alpha, err);
}

static qs_status emit(QS_EMIT_ARGS)
{
    const qs_shape *s = &layer->in;
    const qs_value *shared = &layer->spec->value[SHARED_AXES];
    if (s->rank < 1 || s->rank > 3)
        return qs_fail(err, QS_E_UNSUPPORTED, "samples of %d axes cannot be done, at most 3",
                       s->rank);
    int alpha, id = qs_emit_layer(model, layer);
    QS_TRY(qs_emit_param(graph, model, layer, "alpha", false, &alpha, err));
    size_t dim[3] = {1, 1, 1}, stride[3] = {0}, step = 1;
    for (int k = 0; k < s->rank; k++)
        dim[3 - s->rank + k] = s->dim[k];
    for (int k = 2; k >= 3 - s->rank; k--) {
        bool is_shared = false;
        for (size_t i = 0; i < shared->count; i++)
            is_shared |= (int)shared->list[i] == k - (3 - s->rank) + 1;
        stride[k] = is_shared ? 0 : step;
        step *= is_shared ? 1 : dim[k];
    }
    const int sums = qs_graph_fixed(graph, step);
    qs_call *c = qs_emit_same(graph, QS_OP_prelu, id, in, out);
    c->in[1] = qs_param_operand(alpha);
    c->out[1] = sums; /* where the backward pass adds up alpha's gradient */
    c->param = qs_emit_trained(layer, alpha);
    for (int k = 0; k < 3; k++) {
        c->dim[1 + k] = (int32_t)dim[k];
        c->dim[4 + k] = (int32_t)stride[k];
    }
    return QS_OK;
}

const qs_layer_kind qs_layer_prelu = {
    .kind = {"prelu", "PReLU", "p_re_lu", attrs, "max(x, alpha x) with alpha learned", NULL},
    .infer = infer,
    .emit = emit,
};
