/* SPDX-License-Identifier: MIT */
/* activation.c - the activations by name. Their kernels are those of kernels/activations.def. */
#include <math.h>
#include <string.h>

#include "nn/attr.h"
#include "nn/init.h"

static const qs_attr relu_attrs[] = {
    QS_NUMBER_ATTR("negative_slope", "0", 0, 1e30, "slope below the threshold"),
    QS_NUMBER_ATTR("max_value", "null", 0, 1e30, "largest output; null: none"),
    QS_NUMBER_ATTR("threshold", "0", 0, 1e30, "where the output begins to follow the input"),
    QS_ATTRS_END,
};
static const qs_attr leaky_attrs[] = {
    QS_NUMBER_ATTR("negative_slope", "0.2", 0, 1e30, "slope below zero"),
    QS_ATTRS_END,
};
static const qs_attr alpha_attrs[] = {
    QS_NUMBER_ATTR("alpha", "1", 1e-6, 1e30, "minus the limit far below zero"),
    QS_ATTRS_END,
};
static const qs_attr gelu_attrs[] = {
    QS_BOOL_ATTR("approximate", "false", "with tanh instead of the error function"),
    QS_ATTRS_END,
};
static const qs_attr axis_attrs[] = {
    QS_FIXED_ATTR("axis", "-1"),
    QS_ATTRS_END,
};

static const qs_activation_kind all[] = {
    {{"linear", "linear", NULL, NULL, "x", NULL}, QS_ACTIVATION_linear},
    {{"relu", "relu", "ReLU", relu_attrs,
      "max(x, 0); with arguments a slope below the threshold and a ceiling", NULL},
     QS_ACTIVATION_relu},
    {{"leaky_relu", "leaky_relu", "LeakyReLU", leaky_attrs, "x, or slope x below zero", NULL},
     QS_ACTIVATION_leaky_relu},
    {{"relu6", "relu6", NULL, NULL, "x cut to 0 … 6", NULL}, QS_ACTIVATION_relu6},
    {{"elu", "elu", "ELU", alpha_attrs, "x, or alpha (exp(x) - 1) below zero", NULL},
     QS_ACTIVATION_elu},
    {{"celu", "celu", NULL, NULL, "x, or exp(x) - 1 below zero", NULL}, QS_ACTIVATION_elu},
    {{"selu", "selu", NULL, NULL, "scaled elu that keeps mean 0 and variance 1", NULL},
     QS_ACTIVATION_selu},
    {{"gelu", "gelu", NULL, gelu_attrs, "x times the normal distribution of x", NULL},
     QS_ACTIVATION_gelu},
    {{"sigmoid", "sigmoid", NULL, NULL, "1 / (1 + exp(-x))", NULL}, QS_ACTIVATION_sigmoid},
    {{"hard_sigmoid", "hard_sigmoid", NULL, NULL, "x / 6 + 1/2 cut to 0 … 1", NULL},
     QS_ACTIVATION_hard_sigmoid},
    {{"tanh", "tanh", NULL, NULL, "hyperbolic tangent", NULL}, QS_ACTIVATION_tanh},
    {{"softplus", "softplus", NULL, NULL, "log(1 + exp(x))", NULL}, QS_ACTIVATION_softplus},
    {{"softsign", "softsign", NULL, NULL, "x / (1 + |x|)", NULL}, QS_ACTIVATION_softsign},
    {{"silu", "silu", "swish", NULL, "x sigmoid(x)", NULL}, QS_ACTIVATION_silu},
    {{"hard_silu", "hard_silu", "hard_swish", NULL, "x hard_sigmoid(x)", NULL},
     QS_ACTIVATION_hard_silu},
    {{"mish", "mish", NULL, NULL, "x tanh(softplus(x))", NULL}, QS_ACTIVATION_mish},
    {{"exponential", "exponential", NULL, NULL, "exp(x)", NULL}, QS_ACTIVATION_exponential},
    {{"softmax", "softmax", NULL, axis_attrs, "exp(x) divided by its sum over the last axis", NULL},
     QS_ACTIVATION_softmax},
    {{"log_softmax", "log_softmax", NULL, axis_attrs, "logarithm of softmax", NULL},
     QS_ACTIVATION_log_softmax},
    /* Keras has no name for this one: its files hold a function that somebody registered. */
    {{"gelu_approximate", NULL, "golden>gelu_approximate", NULL,
      "gelu with tanh instead of the error function", NULL},
     QS_ACTIVATION_gelu_approximate},
};

enum { KINDS = sizeof all / sizeof *all };

static const qs_kind *const kinds[KINDS + 1] = {
    &all[0].kind,  &all[1].kind,  &all[2].kind,  &all[3].kind,  &all[4].kind,
    &all[5].kind,  &all[6].kind,  &all[7].kind,  &all[8].kind,  &all[9].kind,
    &all[10].kind, &all[11].kind, &all[12].kind, &all[13].kind, &all[14].kind,
    &all[15].kind, &all[16].kind, &all[17].kind, &all[18].kind, &all[19].kind,
};

const qs_registry qs_activation_registry = {"activations", "activation", "keras.activations",
                                            kinds};

static bool is_plain_relu(const qs_value *value)
{
    return value[0].number == 0 && value[1].null && value[2].number == 0;
}

qs_activation_id qs_activation_kernel(const qs_spec *spec, float arg[QS_ACTIVATION_ARGS])
{
    const qs_activation_id id = ((const qs_activation_kind *)(const void *)spec->kind)->id;
    const qs_attr *attr = spec->kind->attrs;
    memset(arg, 0, QS_ACTIVATION_ARGS * sizeof *arg);
    for (int i = 0; attr && attr[i].name && i < QS_ACTIVATION_ARGS; i++)
        arg[i] = spec->value[i].null ? INFINITY : (float)spec->value[i].number;
    if (id == QS_ACTIVATION_relu && !is_plain_relu(spec->value))
        return QS_ACTIVATION_relu_general;
    if (id == QS_ACTIVATION_gelu && spec->value[0].number != 0)
        return QS_ACTIVATION_gelu_approximate;
    return id;
}
