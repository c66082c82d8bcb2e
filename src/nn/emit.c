/* SPDX-License-Identifier: MIT */
/* emit.c - calls that several kinds of layers share. */
#include "nn/emit.h"

#include <math.h>
#include <string.h>

#include "kernels/kernels.h"
#include "nn/init.h"

static bool is_kind(const qs_spec *spec, const char *name)
{
    return spec && strcmp(spec->kind->name, name) == 0;
}

static float number(const qs_spec *spec, const char *attr)
{
    return (float)qs_spec_value(spec, attr)->number;
}

static qs_status constraint(const qs_spec *spec, qs_param *param, qs_error *err)
{
    static const struct {
        const char *name;
        int id;
        const char *arg[3];
    } kinds[] = {
        {"max_norm", QS_CONSTRAINT_MAX_NORM, {"max_value"}},
        {"non_neg", QS_CONSTRAINT_NON_NEG, {NULL}},
        {"unit_norm", QS_CONSTRAINT_UNIT_NORM, {NULL}},
        {"min_max_norm", QS_CONSTRAINT_MIN_MAX_NORM, {"min_value", "max_value", "rate"}},
    };
    if (!spec)
        return QS_OK;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!is_kind(spec, kinds[i].name))
            continue;
        param->constraint = kinds[i].id;
        for (int k = 0; k < 3 && kinds[i].arg[k]; k++)
            param->constraint_arg[k] = number(spec, kinds[i].arg[k]);
        return QS_OK;
    }
    return qs_fail(err, QS_E_UNSUPPORTED, "constraint %s cannot be done", spec->kind->name);
}

static int find_weight(const qs_model *model, const qs_layer *layer, const char *name)
{
    for (int w = layer->first_weight; w < layer->first_weight + layer->weights; w++) {
        const char *slash = strrchr(model->weight[w].name, '/');
        if (slash && strcmp(slash + 1, name) == 0)
            return w;
    }
    return -1;
}

qs_status qs_emit_param(qs_graph *graph, const qs_model *model, const qs_layer *layer,
                        const char *name, bool kept, int *out, qs_error *err)
{
    *out = QS_NO_PARAM;
    const int w = find_weight(model, layer, name);
    if (w < 0)
        return QS_OK;
    const qs_weight *weight = &model->weight[w];
    const bool matrix = weight->shape.rank == 2 && strcmp(name, "kernel") == 0;
    qs_param param = {.weight = w,
                      .matrix = matrix,
                      .rows = matrix ? weight->shape.dim[0] : 1,
                      .cols = matrix ? weight->shape.dim[1] : qs_shape_count(&weight->shape),
                      .inner = qs_shape_count(&weight->shape) / weight->shape.dim[0],
                      .trainable = weight->trainable,
                      .kept = kept && weight->trainable};
    if (param.trainable) { /* as in Keras, what is frozen is not penalised */
        double l1, l2;
        qs_regularizer_factors(weight->regularizer, &l1, &l2);
        param.l1 = (float)l1;
        param.l2 = (float)l2;
        QS_TRY(qs_context(err, constraint(weight->constraint, &param, err), "%s", name));
    }
    *out = qs_graph_param(graph, &param);
    return QS_OK;
}

int qs_emit_trained(const qs_layer *layer, int param)
{
    return layer->trainable ? param : QS_NO_PARAM;
}

int qs_emit_layer(const qs_model *model, const qs_layer *layer)
{
    return (int)(layer - model->layer);
}

qs_call *qs_emit_same(qs_graph *graph, qs_op op, int layer, int in, int *out)
{
    const size_t features = qs_graph_features(graph, in);
    *out = qs_graph_activation(graph, features);
    qs_call *c = qs_graph_call(graph, op, QS_FORWARD, layer);
    c->in[0] = in;
    c->out[0] = *out;
    c->dim[0] = (int32_t)features;
    c->bytes = 8 * (double)features;
    return c;
}

int qs_emit_elementwise(qs_graph *graph, int layer, int id, const float *arg, size_t args, int in)
{
    int out;
    qs_call *c = qs_emit_same(graph, QS_OP_activation, layer, in, &out);
    c->dim[1] = id;
    c->dim[7] = qs_activation_needs_input(id);
    memcpy(c->arg, arg, args * sizeof *arg);
    return out;
}

int qs_emit_affine(qs_graph *graph, int layer, const float *table, size_t channels, int in)
{
    int out, part[3];
    for (size_t k = 0; k < 3; k++)
        part[k] = qs_graph_constant(graph, table + k * channels, channels);
    qs_call *c = qs_emit_same(graph, QS_OP_affine, layer, in, &out);
    for (int k = 0; k < 3; k++)
        c->in[1 + k] = part[k];
    c->dim[1] = (int32_t)channels;
    return out;
}

int qs_emit_softmax(qs_graph *graph, int layer, qs_op op, const qs_shape *shape, int in)
{
    int out;
    qs_call *c = qs_emit_same(graph, op, layer, in, &out);
    const size_t classes = shape->dim[shape->rank - 1];
    c->dim[0] = (int32_t)(qs_shape_count(shape) / classes);
    c->dim[1] = (int32_t)classes;
    return out;
}

static bool is_linear(const qs_spec *activation)
{
    return !activation || is_kind(activation, "linear");
}

int qs_emit_fusible(const qs_spec *activation, float arg[QS_ARGS])
{
    if (is_linear(activation) || is_kind(activation, "softmax") ||
        is_kind(activation, "log_softmax"))
        return -1;
    const int id = (int)qs_activation_kernel(activation, arg);
    return qs_activation_needs_input(id) ? -1 : id;
}

int qs_emit_activation(qs_graph *graph, int layer, const qs_spec *activation, const qs_shape *shape,
                       int in)
{
    if (is_linear(activation))
        return in;
    if (is_kind(activation, "softmax"))
        return qs_emit_softmax(graph, layer, QS_OP_softmax, shape, in);
    if (is_kind(activation, "log_softmax"))
        return qs_emit_softmax(graph, layer, QS_OP_log_softmax, shape, in);
    float arg[QS_ARGS] = {0};
    const int id = (int)qs_activation_kernel(activation, arg);
    return qs_emit_elementwise(graph, layer, id, arg, QS_ARGS, in);
}

void qs_emit_activity(qs_graph *graph, int layer, const qs_spec *spec, int tensor)
{
    double l1, l2;
    qs_regularizer_factors(spec, &l1, &l2);
    if (l1 == 0 && l2 == 0)
        return;
    qs_call *c = qs_graph_call(graph, QS_OP_activity, QS_FORWARD, layer);
    c->modes = QS_TRAIN | QS_EVALUATE;
    c->in[0] = tensor;
    c->dim[0] = (int32_t)qs_graph_features(graph, tensor);
    c->arg[0] = (float)l1;
    c->arg[1] = (float)l2;
    c->sums = 1; /* joins the loss, which is the first sum */
}
