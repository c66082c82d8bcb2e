/* SPDX-License-Identifier: MIT */
/* ops.c - what each op is beside its kernels: the calls that its gradient is made of. */
#include <string.h>

#include "graph/graph.h"
#include "kernels/dense.h"

/* The gradient to go on from; a fresh tensor as the gradient of `in`. */
static int new_grad(qs_graph *g, int in)
{
    const int dx = qs_graph_activation(g, qs_graph_features(g, in));
    qs_graph_set_grad(g, in, dx);
    return dx;
}

/* A backward call with the forward call's attributes, dy as its first input. */
static qs_call *backward(qs_graph *g, const qs_call *call, qs_op op, qs_section section)
{
    qs_call *c = qs_graph_call(g, op, section, call->layer);
    memcpy(c->dim, call->dim, sizeof c->dim);
    memcpy(c->arg, call->arg, sizeof c->arg);
    c->in[0] = qs_graph_grad(g, call->out[0]);
    return c;
}

/* Elementwise: dx from dy alone, or from dy and one of the forward operands. */
static void simple(qs_graph *g, const qs_call *call, qs_op op, int kept)
{
    if (!qs_graph_wants_grad(g, call->in[0]))
        return;
    const int dx = new_grad(g, call->in[0]);
    qs_call *c = backward(g, call, op, QS_BACKWARD);
    c->in[1] = kept;
    c->out[0] = dx;
    c->bytes = 12.0 * (double)qs_graph_features(g, dx);
}

enum { NEEDS_INPUT = 7 }; /* dim of activation: its slope is made from x, not from y */

static void activation_gradient(qs_graph *g, const qs_call *call)
{
    simple(g, call, QS_OP_activation_grad, call->dim[NEEDS_INPUT] ? call->in[0] : call->out[0]);
}

static void softmax_gradient(qs_graph *g, const qs_call *call)
{
    simple(g, call, QS_OP_softmax_grad, call->out[0]);
}

static void log_softmax_gradient(qs_graph *g, const qs_call *call)
{
    simple(g, call, QS_OP_log_softmax_grad, call->out[0]);
}

static void dropout_gradient(qs_graph *g, const qs_call *call)
{
    simple(g, call, QS_OP_dropout, QS_NO_TENSOR);
}

static void affine_gradient(qs_graph *g, const qs_call *call)
{
    simple(g, call, QS_OP_affine_grad, call->in[1]);
}

/* What is added passes gradients through unchanged. */
static void noise_gradient(qs_graph *g, const qs_call *call)
{
    qs_graph_set_grad(g, call->in[0], qs_graph_grad(g, call->out[0]));
}

static bool changes(const qs_call *dense)
{
    return dense->dim[QS_DENSE_ACTIVATION] >= 0 || dense->dim[QS_DENSE_DROPS];
}

/* The activation and dropout that dense applied, for the call that goes back through them. */
static void copy_epilogue(qs_call *to, const qs_call *dense)
{
    to->dim[QS_DENSE_ACTIVATION] = dense->dim[QS_DENSE_ACTIVATION];
    to->dim[QS_DENSE_DROPS] = dense->dim[QS_DENSE_DROPS];
    to->dim[QS_DENSE_TENSOR] = dense->dim[QS_DENSE_TENSOR];
    memcpy(to->arg, dense->arg, sizeof to->arg);
}

/* dy through dropout and activation, as a call of its own. */
static int dense_dz(qs_graph *g, const qs_call *dense, int dy)
{
    if (!changes(dense))
        return dy;
    const size_t features = qs_graph_features(g, dense->out[0]);
    const int dz = qs_graph_activation(g, features);
    qs_call *c = qs_graph_call(g, QS_OP_dense_dz, QS_BACKWARD, dense->layer);
    memcpy(c->dim, dense->dim, sizeof c->dim);
    copy_epilogue(c, dense);
    c->in[0] = dy;
    c->in[1] = dense->out[0];
    c->out[0] = dz;
    c->bytes = 12.0 * (double)features;
    return dz;
}

/* The dense_dx call that made dy, if it can finish dy for `dense` while it is hot: the same rows. */
static qs_call *hot_producer(qs_graph *g, const qs_call *dense, int dy)
{
    qs_call *c = qs_graph_last(g, QS_BACKWARD);
    const bool fits = c && c->op == QS_OP_dense_dx && c->out[0] == dy &&
                      c->dim[QS_DENSE_IN] == dense->dim[QS_DENSE_OUT] &&
                      c->dim[QS_DENSE_REPEAT] == dense->dim[QS_DENSE_REPEAT];
    return fits ? c : NULL;
}

static void dense_dw(qs_graph *g, const qs_call *dense, int packed)
{
    enum { ROWS = 96 }; /* of an item: a few tiles of every rung */
    const double in = dense->dim[QS_DENSE_IN], out = dense->dim[QS_DENSE_OUT];
    qs_call *c = qs_graph_call(g, QS_OP_dense_dw, QS_UPDATE, dense->layer);
    memcpy(c->dim, dense->dim, sizeof c->dim);
    c->dim[QS_DENSE_CHUNK] = ROWS;
    c->in[0] = dense->in[0];
    c->in[1] = packed;
    c->param = dense->param;
    c->bias = dense->bias;
    c->items = qs_blocks((size_t)out) * (((size_t)in + ROWS - 1) / ROWS);
    c->item_cost = in * out / (double)c->items;
    c->flops = 2 * in * out * dense->dim[QS_DENSE_REPEAT];
}

/* Go back through what dense applied and pack the result for dW: in the call that made dy where it
 * can, else in calls of their own. Returns the gradient of x W + b. */
static int dense_back(qs_graph *g, const qs_call *dense, int packed)
{
    const int dy = qs_graph_grad(g, dense->out[0]);
    qs_call *hot = hot_producer(g, dense, dy);
    if (hot) {
        copy_epilogue(hot, dense);
        hot->in[2] = changes(dense) ? dense->out[0] : QS_NO_TENSOR;
        hot->out[1] = packed;
        return dy;
    }
    const int dz = dense_dz(g, dense, dy);
    if (packed == QS_NO_TENSOR)
        return dz;
    qs_call *c = qs_graph_call(g, QS_OP_pack, QS_BACKWARD, dense->layer);
    memcpy(c->dim, dense->dim, sizeof c->dim);
    c->in[0] = dz;
    c->out[0] = packed;
    c->bytes = 8.0 * (double)qs_graph_features(g, dz);
    return dz;
}

static void dense_gradient(qs_graph *g, const qs_call *call)
{
    const size_t padded = qs_round_up((size_t)call->dim[QS_DENSE_OUT], QS_LANE);
    const bool trains = call->param != QS_NO_PARAM || call->bias != QS_NO_PARAM;
    const int packed =
        trains ? qs_graph_packed(g, padded * (size_t)call->dim[QS_DENSE_REPEAT]) : QS_NO_TENSOR;
    const int dz = dense_back(g, call, packed);
    if (trains)
        dense_dw(g, call, packed);
    if (!qs_graph_wants_grad(g, call->in[0]))
        return;
    const int dx = new_grad(g, call->in[0]);
    qs_call *c = qs_graph_call(g, QS_OP_dense_dx, QS_BACKWARD, call->layer);
    memcpy(c->dim, call->dim, sizeof c->dim);
    c->dim[QS_DENSE_ACTIVATION] = -1;
    c->dim[QS_DENSE_DROPS] = 0;
    c->in[0] = dz;
    c->in[1] = call->in[1];
    c->out[0] = dx;
    c->flops = call->flops;
}

static void prelu_gradient(qs_graph *g, const qs_call *call)
{
    if (call->param != QS_NO_PARAM) {
        qs_call *c = backward(g, call, QS_OP_prelu_dparam, QS_UPDATE);
        c->in[1] = call->in[0];
        c->param = call->param;
        c->item_cost = (double)qs_graph_features(g, call->in[0]);
        c->out[0] = call->out[1];
    }
    if (!qs_graph_wants_grad(g, call->in[0]))
        return;
    const int dx = new_grad(g, call->in[0]);
    qs_call *c = backward(g, call, QS_OP_prelu_dx, QS_BACKWARD);
    c->in[1] = call->in[1];
    c->in[2] = call->in[0];
    c->out[0] = dx;
}

enum { NORM_ROWS, NORM_CHANNELS, NORM_FROZEN };

/* batch_norm: in x, stats, gamma, beta; param gamma, bias beta where they are trained. */
static void batch_norm_gradient(qs_graph *g, const qs_call *call)
{
    const size_t channels = (size_t)call->dim[NORM_CHANNELS];
    const int sums = qs_graph_fixed(g, 2 * qs_round_up(channels, QS_LANE));
    qs_call *c = backward(g, call, QS_OP_batch_norm_dparam, QS_BACKWARD);
    c->in[1] = call->in[0];
    c->in[2] = call->in[1];
    c->out[0] = sums;
    c->param = call->param;
    c->bias = call->bias;
    c->items = (channels + QS_LANE - 1) / QS_LANE;
    c->item_cost = 16.0 * call->dim[NORM_ROWS];
    if (!qs_graph_wants_grad(g, call->in[0]))
        return;
    const int dx = new_grad(g, call->in[0]);
    c = backward(g, call, QS_OP_batch_norm_dx, QS_BACKWARD);
    c->in[1] = call->in[0];
    c->in[2] = call->in[1];
    c->in[3] = call->in[2];
    c->in[4] = sums;
    c->out[0] = dx;
}

/* layer_norm: in x, gamma, beta; out y, stats. */
static void layer_norm_gradient(qs_graph *g, const qs_call *call)
{
    const size_t channels = (size_t)call->dim[NORM_CHANNELS];
    if (call->param != QS_NO_PARAM || call->bias != QS_NO_PARAM) {
        qs_call *c = backward(g, call, QS_OP_layer_norm_dparam, QS_UPDATE);
        c->in[1] = call->in[0];
        c->in[2] = call->out[1];
        c->param = call->param;
        c->bias = call->bias;
        c->items = (channels + QS_LANE - 1) / QS_LANE;
        c->item_cost = 16.0 * call->dim[NORM_ROWS];
    }
    if (!qs_graph_wants_grad(g, call->in[0]))
        return;
    const int dx = new_grad(g, call->in[0]);
    qs_call *c = backward(g, call, QS_OP_layer_norm_dx, QS_BACKWARD);
    c->in[1] = call->in[0];
    c->in[2] = call->out[1];
    c->in[3] = call->in[1];
    c->out[0] = dx;
}

/* activity: in y; adds to y's gradient once everything after y has. */
static void activity_gradient(qs_graph *g, const qs_call *call)
{
    if (qs_graph_grad(g, call->in[0]) == QS_NO_TENSOR)
        return;
    qs_call *c = qs_graph_call(g, QS_OP_activity, QS_BACKWARD, call->layer);
    memcpy(c->dim, call->dim, sizeof c->dim);
    memcpy(c->arg, call->arg, sizeof c->arg);
    c->in[0] = call->in[0];
    c->out[0] = qs_graph_grad(g, call->in[0]);
    c->dim[1] = 1; /* the gradient, not the value */
}

typedef void (*gradient_fn)(qs_graph *graph, const qs_call *call);

static const gradient_fn gradients[QS_OPS] = {
    [QS_OP_dense] = dense_gradient,           [QS_OP_activation] = activation_gradient,
    [QS_OP_softmax] = softmax_gradient,       [QS_OP_log_softmax] = log_softmax_gradient,
    [QS_OP_dropout] = dropout_gradient,       [QS_OP_noise] = noise_gradient,
    [QS_OP_affine] = affine_gradient,         [QS_OP_prelu] = prelu_gradient,
    [QS_OP_batch_norm] = batch_norm_gradient, [QS_OP_layer_norm] = layer_norm_gradient,
    [QS_OP_activity] = activity_gradient,
};

void qs_op_gradient(qs_graph *graph, const qs_call *call)
{
    const bool reached = call->out[0] < 0 || qs_graph_grad(graph, call->out[0]) != QS_NO_TENSOR;
    if (gradients[call->op] && reached)
        gradients[call->op](graph, call);
}

qs_axis qs_op_axis(qs_op op)
{
    static const qs_axis axes[QS_OPS] = {
#define QS_OP(name, axis) [QS_OP_##name] = QS_AXIS_##axis,
#include "kernels/ops.def"
#undef QS_OP
    };
    return axes[op];
}

const char *qs_op_name(qs_op op)
{
    static const char *const names[QS_OPS] = {
#define QS_OP(name, axis) [QS_OP_##name] = #name,
#include "kernels/ops.def"
#undef QS_OP
    };
    return names[op];
}
