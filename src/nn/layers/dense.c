/* SPDX-License-Identifier: MIT */
/* dense.c - y = activation(x W + b) on the last axis: x [.., in], W [in, units], b [units]. */
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

const qs_layer_kind qs_layer_dense = {
    .kind = {"dense", "Dense", NULL, attrs, "every output sees every input", "units"},
    .infer = infer,
};
