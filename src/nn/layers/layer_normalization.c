/* SPDX-License-Identifier: MIT */
/* layer_normalization.c - y = gamma (x - mean) / sqrt(variance + epsilon) + beta, with the biased
 * statistics of each row of the last axis. */
#include "nn/emit.h"
#include "nn/layers/layer.h"

enum { AXIS, EPSILON, CENTER, SCALE };

static const qs_attr attrs[] = {
    [AXIS] = {"axis", QS_ATTR_NUMBERS, "[-1]", 0, 0, "integer|bare", "only the last"},
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

static qs_status emit(QS_EMIT_ARGS)
{
    const int id = qs_emit_layer(model, layer);
    const size_t channels = layer->in.dim[layer->in.rank - 1];
    const size_t rows = qs_shape_count(&layer->in) / channels;
    int gamma, beta;
    QS_TRY(qs_emit_param(graph, model, layer, "gamma", false, &gamma, err));
    QS_TRY(qs_emit_param(graph, model, layer, "beta", false, &beta, err));
    const int stats = qs_graph_activation(graph, 2 * rows);
    qs_call *c = qs_emit_same(graph, QS_OP_layer_norm, id, in, out);
    c->in[1] = qs_param_operand(gamma);
    c->in[2] = qs_param_operand(beta);
    c->out[1] = stats;
    c->param = qs_emit_trained(layer, gamma);
    c->bias = qs_emit_trained(layer, beta);
    c->dim[0] = (int32_t)rows;
    c->dim[1] = (int32_t)channels;
    c->arg[0] = (float)layer->spec->value[EPSILON].number;
    return QS_OK;
}

const qs_layer_kind qs_layer_layer_normalization = {
    .kind = {"layer_normalization", "LayerNormalization", NULL, attrs,
             "the last axis of each sample gets mean 0 and variance 1", NULL},
    .infer = infer,
    .emit = emit,
};
