/* SPDX-License-Identifier: MIT */
/* batch_normalization.c - y = gamma (x - mean) / sqrt(variance + epsilon) + beta for each channel:
 * the batch's biased statistics in training, moving averages otherwise and where it is frozen. */
#include <string.h>

#include "nn/emit.h"
#include "nn/layers/layer.h"

enum { AXIS, MOMENTUM, EPSILON, CENTER, SCALE };

static const qs_attr attrs[] = {
    [AXIS] = {"axis", QS_ATTR_INTEGER, "-1", 0, 0, NULL, "of the channels: only the last"},
    [MOMENTUM] = QS_ARG_NUMBER("momentum", "0.99", 0, 1, "weight of the old moving average"),
    [EPSILON] = QS_ARG_NUMBER("epsilon", "0.001", 0, 1e30, "added to the variance"),
    [CENTER] = QS_ARG_BOOL("center", "true", "whether to add beta"),
    [SCALE] = QS_ARG_BOOL("scale", "true", "whether to multiply by gamma"),
    QS_ARG_INITIALIZER("beta_initializer", "zeros", "of beta"),
    QS_ARG_INITIALIZER("gamma_initializer", "ones", "of gamma"),
    QS_ARG_INITIALIZER("moving_mean_initializer", "zeros", "of the moving mean"),
    QS_ARG_INITIALIZER("moving_variance_initializer", "ones", "of the moving variance"),
    QS_ARG_REGULARIZER("beta_regularizer", "penalty on beta"),
    QS_ARG_REGULARIZER("gamma_regularizer", "penalty on gamma"),
    QS_ARG_CONSTRAINT("beta_constraint", "put on beta after each update"),
    QS_ARG_CONSTRAINT("gamma_constraint", "put on gamma after each update"),
    QS_ARG_FIXED("synchronized", "false"),
    QS_ARG_FIXED("renorm", "false"),
    QS_ARG_FIXED("renorm_clipping", "null"),
    QS_ARG_FIXED("renorm_momentum", "0.99"),
    {0},
};

static qs_status infer(qs_model *model, qs_layer *layer, qs_error *err)
{
    const qs_value *value = layer->spec->value;
    QS_TRY(qs_layer_last_axis(layer, &value[AXIS], err));
    const qs_shape channels = {.rank = 1, .dim = {layer->in.dim[layer->in.rank - 1]}};
    layer->out = layer->in;
    if (value[SCALE].number != 0)
        QS_TRY(qs_layer_weight(model, layer, "gamma", &channels, err));
    if (value[CENTER].number != 0)
        QS_TRY(qs_layer_weight(model, layer, "beta", &channels, err));
    QS_TRY(qs_layer_average(model, layer, "moving_mean", &channels, err));
    return qs_layer_average(model, layer, "moving_variance", &channels, err);
}

static qs_status emit(QS_EMIT_ARGS)
{
    const int id = qs_emit_layer(model, layer);
    const size_t channels = layer->in.dim[layer->in.rank - 1];
    const size_t rows = qs_shape_count(&layer->in) / channels;
    const int32_t dim[] = {(int32_t)rows, (int32_t)channels, !layer->trainable};
    int gamma, beta, mean, variance;
    /* kept: dx is made with gamma after gamma's gradient is known */
    QS_TRY(qs_emit_param(graph, model, layer, "gamma", true, &gamma, err));
    QS_TRY(qs_emit_param(graph, model, layer, "beta", true, &beta, err));
    QS_TRY(qs_emit_param(graph, model, layer, "moving_mean", false, &mean, err));
    QS_TRY(qs_emit_param(graph, model, layer, "moving_variance", false, &variance, err));

    const int stats = qs_graph_fixed(graph, 2 * qs_round_up(channels, QS_LANE));
    qs_call *c = qs_graph_call(graph, QS_OP_batch_norm_stats, QS_FORWARD, id);
    c->in[0] = in;
    c->out[0] = stats;
    c->param = mean;
    c->bias = variance;
    c->items = channels;
    c->item_cost = (double)rows * 16;
    memcpy(c->dim, dim, sizeof dim);
    c->arg[0] = (float)layer->spec->value[EPSILON].number;
    c->arg[1] = (float)layer->spec->value[MOMENTUM].number;

    c = qs_emit_same(graph, QS_OP_batch_norm, id, in, out);
    c->in[1] = stats;
    c->in[2] = qs_param_operand(gamma);
    c->in[3] = qs_param_operand(beta);
    c->param = qs_emit_trained(layer, gamma);
    c->bias = qs_emit_trained(layer, beta);
    memcpy(c->dim, dim, sizeof dim);
    return QS_OK;
}

const qs_layer_kind qs_layer_batch_normalization = {
    .kind = {"batch_normalization", "BatchNormalization", NULL, attrs,
             "channels get mean 0 and variance 1 over the batch", NULL},
    .infer = infer,
    .emit = emit,
};
