/* SPDX-License-Identifier: MIT */
/* cases_net.c - products and work that knows one element or one row. */
#include <string.h>

#include "cases.h"
#include "kernels/activation.h"
#include "kernels/dense.h"

static void dims(rig *r, size_t a, size_t b, size_t c)
{
    const size_t dim[] = {a, b, c};
    for (int i = 0; i < 3; i++)
        r->dim[i] = (int32_t)dim[i];
}

/* A gradient: zero where there is no sample. */
static int add_dy(rig *r, size_t features)
{
    const int dy = rig_lanes(r, "dy", RIG_READ, features);
    rig_clear_padding(r, dy);
    return dy;
}

/* What is made of a gradient stays zero where there is no sample. */
static int add_dx(rig *r, size_t features)
{
    const int dx = rig_lanes(r, "dx", RIG_WRITE, features);
    rig_need_zero(r, dx);
    return dx;
}

static int add_row(rig *r, const char *name, size_t cols)
{
    return rig_add(r, name, RIG_ROWS, RIG_READ, 1, cols);
}

/* ---- dense ---- */

typedef struct sizes {
    size_t in, out, repeat;
} sizes;

static sizes dense_sizes(rig *r)
{
    const sizes s = {rig_pick(r, 100), rig_pick(r, 150),
                     r->large || rig_flip(r) ? 1 : 1 + rig_pick(r, 3)};
    dims(r, s.in, s.out, s.repeat);
    return s;
}

/* An activation that a dense call can apply itself, and dropout; or neither. */
static void epilogue(rig *r)
{
    const int id = (int)rig_between(r, 0, QS_ACTIVATION_softmax);
    const bool none = qs_activation_needs_input(id) || rig_flip(r);
    r->dim[QS_DENSE_ACTIVATION] = r->large ? QS_ACTIVATION_relu : none ? -1 : id;
    r->dim[QS_DENSE_DROPS] = r->large || rig_flip(r);
    r->dim[QS_DENSE_TENSOR] = 3;
    r->arg[QS_DENSE_RATE] = 0.25f;
}

SETUP(dense)
{
    const sizes s = dense_sizes(r);
    epilogue(r);
    r->in[0] = rig_lanes(r, "x", RIG_READ, s.repeat * s.in);
    r->in[1] = rig_add(r, "kernel", RIG_BLOCKED, RIG_READ, s.in, s.out);
    rig_fill(r, r->in[1], -0.3, 0.3);
    if (r->large || rig_flip(r))
        r->in[2] = add_row(r, "bias", s.out);
    r->out[0] = rig_lanes(r, "y", RIG_WRITE, s.repeat * s.out);
    r->buffer[r->out[0]].depth = (double)s.in;
    r->buffer[r->out[0]].activated = r->dim[QS_DENSE_ACTIVATION] >= 0;
}

/* Alone; through what the layer below applied; and packed for that layer's dW. */
SETUP(dense_dx)
{
    const sizes s = dense_sizes(r);
    epilogue(r);
    r->in[0] = add_dy(r, s.repeat * s.out);
    r->in[1] = rig_add(r, "kernel", RIG_BLOCKED, RIG_READ, s.in, s.out);
    if (r->large || rig_flip(r))
        r->in[2] = rig_lanes(r, "y", RIG_READ, s.repeat * s.in);
    r->out[0] = add_dx(r, s.repeat * s.in);
    if (r->large || rig_flip(r)) {
        r->out[1] = rig_add(r, "packed", RIG_PACKED, RIG_WRITE, s.repeat, s.in);
        rig_need_zero(r, r->out[1]);
    }
    for (int k = 0; k < 2 && r->out[k] != RIG_NONE; k++)
        r->buffer[r->out[k]].depth = (double)s.out;
}

SETUP(dense_dz)
{
    const sizes s = dense_sizes(r);
    epilogue(r);
    r->in[0] = add_dy(r, s.repeat * s.out);
    r->in[1] = rig_lanes(r, "y", RIG_READ, s.repeat * s.out);
    r->out[0] = add_dx(r, s.repeat * s.out);
}

SETUP(pack)
{
    const sizes s = dense_sizes(r);
    r->in[0] = add_dy(r, s.repeat * s.out);
    r->out[0] = rig_add(r, "packed", RIG_PACKED, RIG_WRITE, s.repeat, s.out);
    rig_need_zero(r, r->out[0]);
}

/* Gradients are kept, or a plain update is made of them: its rule is linear, so that rounding is not
 * blown up. */
static void finish(rig *r, struct rig_param *p, double depth)
{
    if (p->grad != RIG_NONE) {
        r->buffer[p->grad].use = RIG_WRITE;
        r->buffer[p->grad].depth = depth;
        r->buffer[p->weight].use = RIG_READ;
        return;
    }
    p->args.optim = QS_OPTIM_sgd;
    p->args.l1 = rig_flip(r) ? 0 : 0.1f;
    p->args.l2 = rig_flip(r) ? 0 : 0.2f;
    p->args.clip_value = rig_flip(r) ? 0 : 0.5f;
    r->buffer[p->weight].depth = depth;
}

SETUP(dense_dw)
{
    const sizes s = dense_sizes(r);
    const size_t chunk = 96;
    const bool kept = !r->large && rig_flip(r);
    const double which = r->large ? 0.5 : rig_between(r, 0, 1);
    r->in[0] = rig_lanes(r, "x", RIG_READ, s.repeat * s.in);
    r->in[1] = rig_add(r, "packed", RIG_PACKED, RIG_READ, s.repeat, s.out);
    if (which < 0.9)
        rig_param(r, &r->param, true, s.in, s.out, kept);
    if (which > 0.2)
        rig_param(r, &r->bias, false, 1, s.out, kept);
    if (r->param.used)
        finish(r, &r->param, (double)(r->n * s.repeat));
    if (r->bias.used)
        finish(r, &r->bias, (double)(r->n * s.repeat));
    r->dim[QS_DENSE_CHUNK] = (int32_t)chunk;
    r->items = qs_blocks(s.out) * ((s.in + chunk - 1) / chunk);
}

/* ---- one element ---- */

static void activation_sizes(rig *r)
{
    static const float arg[] = {0.3f, 2.0f, 0.1f};
    dims(r, rig_pick(r, 100), (size_t)r->kind, 0);
    memcpy(r->arg, arg, sizeof arg);
}

/* Numbers around zero, and now and then where the ends of the ranges are. */
static int add_x(rig *r, size_t features)
{
    const int x = rig_lanes(r, "x", RIG_READ, features);
    const double reach = r->large || rig_flip(r) ? 4 : 30;
    rig_fill(r, x, -reach, reach);
    return x;
}

SETUP(activation)
{
    activation_sizes(r);
    r->in[0] = add_x(r, (size_t)r->dim[0]);
    r->out[0] = rig_lanes(r, "y", RIG_WRITE, (size_t)r->dim[0]);
}

SETUP(activation_grad)
{
    activation_sizes(r);
    r->in[0] = add_dy(r, (size_t)r->dim[0]);
    r->in[1] = add_x(r, (size_t)r->dim[0]); /* stands for y where that is what is kept */
    if (!qs_activation_needs_input(r->kind))
        rig_fill(r, r->in[1], -1, 1);
    r->out[0] = add_dx(r, (size_t)r->dim[0]);
}

static void random_sizes(rig *r)
{
    static const float rate[] = {0.1f, 0.25f, 0.5f, 0.9f};
    dims(r, rig_pick(r, 100), rig_pick(r, 9), 0);
    r->arg[0] = rate[(int)rig_between(r, 0, 4)];
    r->step.training = r->large || rig_between(r, 0, 1) < 0.8;
    r->in[0] = rig_lanes(r, "x", RIG_READ, (size_t)r->dim[0]);
    r->out[0] = rig_lanes(r, "y", RIG_WRITE, (size_t)r->dim[0]);
}

SETUP(dropout)
{
    random_sizes(r);
}

SETUP(noise)
{
    random_sizes(r);
}

static size_t affine_sizes(rig *r)
{
    const size_t channels = rig_flip(r) ? 1 : rig_pick(r, 50);
    dims(r, channels * rig_pick(r, 5), channels, 0);
    return channels;
}

SETUP(affine)
{
    const size_t channels = affine_sizes(r);
    r->in[0] = rig_lanes(r, "x", RIG_READ, (size_t)r->dim[0]);
    r->in[1] = add_row(r, "scale", channels);
    r->in[2] = add_row(r, "offset", channels);
    r->in[3] = add_row(r, "centre", channels);
    r->out[0] = rig_lanes(r, "y", RIG_WRITE, (size_t)r->dim[0]);
}

SETUP(affine_grad)
{
    const size_t channels = affine_sizes(r);
    r->in[0] = add_dy(r, (size_t)r->dim[0]);
    r->in[1] = add_row(r, "scale", channels);
    r->out[0] = add_dx(r, (size_t)r->dim[0]);
}

/* ---- prelu ---- */

/* Three axes, any of which may share its slopes; returns how many slopes. */
static size_t prelu_sizes(rig *r)
{
    size_t dim[3], slopes = 1;
    for (int k = 0; k < 3; k++)
        dim[k] = rig_pick(r, 6);
    for (int k = 2; k >= 0; k--) {
        const bool shared = rig_flip(r);
        r->dim[1 + k] = (int32_t)dim[k];
        r->dim[4 + k] = shared ? 0 : (int32_t)slopes;
        slopes *= shared ? 1 : dim[k];
    }
    r->dim[0] = (int32_t)(dim[0] * dim[1] * dim[2]);
    return slopes;
}

SETUP(prelu)
{
    const size_t slopes = prelu_sizes(r);
    r->in[0] = rig_lanes(r, "x", RIG_READ, (size_t)r->dim[0]);
    r->in[1] = add_row(r, "alpha", slopes);
    r->out[0] = rig_lanes(r, "y", RIG_WRITE, (size_t)r->dim[0]);
}

SETUP(prelu_dx)
{
    const size_t slopes = prelu_sizes(r);
    r->in[0] = add_dy(r, (size_t)r->dim[0]);
    r->in[1] = add_row(r, "alpha", slopes);
    r->in[2] = rig_lanes(r, "x", RIG_READ, (size_t)r->dim[0]);
    r->out[0] = add_dx(r, (size_t)r->dim[0]);
}

SETUP(prelu_dparam)
{
    const size_t slopes = prelu_sizes(r);
    const double depth = (double)r->n * r->dim[0] / (double)slopes;
    r->in[0] = add_dy(r, (size_t)r->dim[0]);
    r->in[1] = rig_lanes(r, "x", RIG_READ, (size_t)r->dim[0]);
    r->out[0] = rig_add(r, "sums", RIG_ROWS, RIG_WRITE, 1, slopes);
    r->buffer[r->out[0]].depth = depth;
    rig_param(r, &r->param, false, 1, slopes, rig_flip(r));
    finish(r, &r->param, depth);
}

/* ---- softmax ---- */

static size_t softmax_sizes(rig *r)
{
    dims(r, rig_pick(r, 3), rig_pick(r, 100), 0);
    return (size_t)r->dim[0] * (size_t)r->dim[1];
}

SETUP(softmax)
{
    const size_t features = softmax_sizes(r);
    r->in[0] = add_x(r, features);
    r->out[0] = rig_lanes(r, "y", RIG_WRITE, features);
}

SETUP(log_softmax)
{
    setup_softmax(r);
}

SETUP(softmax_grad)
{
    const size_t features = softmax_sizes(r);
    r->in[0] = add_dy(r, features);
    r->in[1] = rig_lanes(r, "y", RIG_READ, features);
    r->out[0] = add_dx(r, features);
    r->buffer[r->out[0]].depth = r->dim[1];
}

SETUP(log_softmax_grad)
{
    setup_softmax_grad(r);
}
