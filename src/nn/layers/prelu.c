/* SPDX-License-Identifier: MIT */
/* prelu.c - y = x, or alpha x below zero, with alpha learned for each element of a sample. */
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

const qs_layer_kind qs_layer_prelu = {
    .kind = {"prelu", "PReLU", "p_re_lu", attrs, "max(x, alpha x) with alpha learned", NULL},
    .infer = infer,
};
