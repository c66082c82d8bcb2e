/* SPDX-License-Identifier: MIT */
/* dense.c - y = activation(x W + b) on the last axis: x [.., in], W [in, units], b [units]. */
#include <string.h>

#include "kernels/dense.h"
#include "nn/emit.h"
#include "nn/layers/layer.h"

enum { UNITS, ACTIVATION, USE_BIAS };

static const qs_attr attrs[] = {
    [UNITS] = {"units", QS_ATTR_INTEGER, NULL, 1, 1 << 24, NULL, "outputs"},
    [ACTIVATION] = QS_ARG_ACTIVATION("linear", "applied to the output"),
    [USE_BIAS] = QS_ARG_BOOL("use_bias", "true", "whether to add b"),
    QS_ARG_INITIALIZER("kernel_initializer", "glorot_uniform", "of W"),
    QS_ARG_INITIALIZER("bias_initializer", "zeros", "of b"),
    QS_ARG_REGULARIZER("kernel_regularizer", "penalty on W"),
    QS_ARG_REGULARIZER("bias_regularizer", "penalty on b"),
    QS_ARG_REGULARIZER("activity_regularizer", "penalty on the output, divided by the batch size"),
    QS_ARG_CONSTRAINT("kernel_constraint", "put on W after each update"),
    QS_ARG_CONSTRAINT("bias_constraint", "put on b after each update"),
    QS_ARG_FIXED("quantization_config", "null"),
    {0},
};

static qs_status infer(qs_model *model, qs_layer *layer, qs_error *err)
{
    const int last = layer->in.rank - 1;
    const size_t units = (size_t)layer->spec->value[UNITS].number;
    layer->out = layer->in;
    layer->out.dim[last] = units;

    const qs_shape kernel = {.rank = 2, .dim = {layer->in.dim[last], units}};
    const qs_shape bias = {.rank = 1, .dim = {units}};
    QS_TRY(qs_layer_weight(model, layer, "kernel", &kernel, err));
    if (layer->spec->value[USE_BIAS].number != 0)
        QS_TRY(qs_layer_weight(model, layer, "bias", &bias, err));
    return QS_OK;
}

/* The activation goes into the call where it can; the output layer's stays apart, for the loss. */
static qs_status emit(QS_EMIT_ARGS)
{
    const int id = qs_emit_layer(model, layer);
    const qs_spec *activation = layer->spec->value[ACTIVATION].spec;
    float arg[QS_ARGS] = {0};
    const bool last = id + 1 == model->layers;
    const int fused = last ? -1 : qs_emit_fusible(activation, arg);
    const size_t in_count = qs_shape_count(&layer->in), out_count = qs_shape_count(&layer->out);
    const size_t inputs = layer->in.dim[layer->in.rank - 1];
    const size_t units = layer->out.dim[layer->out.rank - 1], rows = in_count / inputs;
    int kernel, bias;
    QS_TRY(qs_emit_param(graph, model, layer, "kernel", false, &kernel, err));
    QS_TRY(qs_emit_param(graph, model, layer, "bias", false, &bias, err));

    *out = qs_graph_activation(graph, out_count);
    qs_call *c = qs_graph_call(graph, QS_OP_dense, QS_FORWARD, id);
    c->in[0] = in;
    c->in[1] = qs_param_operand(kernel);
    c->in[2] = qs_param_operand(bias);
    c->out[0] = *out;
    c->param = qs_emit_trained(layer, kernel);
    c->bias = qs_emit_trained(layer, bias);
    c->dim[QS_DENSE_IN] = (int32_t)inputs;
    c->dim[QS_DENSE_OUT] = (int32_t)units;
    c->dim[QS_DENSE_REPEAT] = (int32_t)rows;
    c->dim[QS_DENSE_ACTIVATION] = fused;
    memcpy(c->arg, arg, sizeof arg);
    c->flops = 2 * (double)in_count * (double)units;
    if (fused < 0)
        *out = qs_emit_activation(graph, id, activation, &layer->out, *out);
    qs_emit_activity(graph, id, qs_spec_value(layer->spec, "activity_regularizer")->spec, *out);
    return QS_OK;
}

const qs_layer_kind qs_layer_dense = {
    .kind = {"dense", "Dense", NULL, attrs, "every output sees every input", "units"},
    .infer = infer,
    .emit = emit,
};
