/* SPDX-License-Identifier: MIT */
/* layer_normalization.c - y = gamma (x - mean) / sqrt(variance + epsilon) + beta, with the biased
 * statistics of each row of the last axis. */
#include "nn/layers/layer.h"

enum { AXIS, EPSILON, CENTER, SCALE };

static const qs_attr attrs[] = {
    [AXIS] = {"axis", QS_ATTR_NUMBERS, "[-1]", 0, 0, "integer", "only the last"},
    [EPSILON] = QS_ARG_NUMBER("epsilon", "0.001", 0, 1e30, "added to the variance"),
    [CENTER] = QS_ARG_BOOL("center", "true", "whether to add beta"),
    [SCALE] = QS_ARG_BOOL("scale", "true", "whether to multiply by gamma"),
    QS_ARG_FIXED("rms_scaling", "false"),
    QS_ARG_INITIALIZER("beta_initializer", "zeros", "of beta"),
    QS_ARG_INITIALIZER("gamma_initializer", "ones", "of gamma"),
    QS_ARG_REGULARIZER("beta_regularizer", "penalty on beta"),
    QS_ARG_REGULARIZER("gamma_regularizer", "penalty on gamma"),
    QS_ARG_CONSTRAINT("beta_constraint", "put on beta after each update"),
    QS_ARG_CONSTRAINT("gamma_constraint", "put on gamma after each update"),
    {0},
};

static qs_status infer(qs_model *model, qs_layer *layer, qs_error *err)
{
    const qs_value *value = layer->spec->value;
    QS_TRY(qs_layer_last_axis(layer, &value[AXIS], err));
    const qs_shape features = {.rank = 1, .dim = {layer->in.dim[layer->in.rank - 1]}};
    layer->out = layer->in;
    if (value[SCALE].number != 0)
        QS_TRY(qs_layer_weight(model, layer, "gamma", &features, err));
    if (value[CENTER].number != 0)
        QS_TRY(qs_layer_weight(model, layer, "beta", &features, err));
    return QS_OK;
}

const qs_layer_kind qs_layer_layer_normalization = {
    .kind = {"layer_normalization", "LayerNormalization", NULL, attrs,
             "the last axis of each sample gets mean 0 and variance 1", NULL},
    .infer = infer,
};
