/* SPDX-License-Identifier: MIT */
/* cases_norm.c - batch and layer normalisation. */
#include "cases.h"

enum { EPSILON, MOMENTUM };

static size_t norm_sizes(rig *r)
{
    r->dim[0] = r->large ? 1 : (int32_t)rig_pick(r, 4);
    r->dim[1] = (int32_t)rig_pick(r, 100);
    r->dim[2] = !r->large && rig_flip(r); /* frozen */
    r->arg[EPSILON] = 1e-3f;
    r->arg[MOMENTUM] = 0.9f;
    r->step.training = r->large || rig_between(r, 0, 1) < 0.8;
    return (size_t)r->dim[0] * (size_t)r->dim[1];
}

static int add_dy(rig *r, size_t features)
{
    const int dy = rig_lanes(r, "dy", RIG_READ, features);
    rig_clear_padding(r, dy);
    return dy;
}

static int add_dx(rig *r, size_t features)
{
    const int dx = rig_lanes(r, "dx", RIG_WRITE, features);
    rig_need_zero(r, dx);
    return dx;
}

/* gamma or beta, which a layer may not have. */
static int maybe_row(rig *r, const char *name)
{
    return rig_flip(r) ? RIG_NONE : rig_add(r, name, RIG_ROWS, RIG_READ, 1, (size_t)r->dim[1]);
}

/* Mean and 1 / deviation, both positive here. */
static int channel_stats(rig *r)
{
    const int stats = rig_add(r, "stats", RIG_ROWS, RIG_READ, 2, (size_t)r->dim[1]);
    rig_fill(r, stats, 0.3, 1.5);
    return stats;
}

static int row_stats(rig *r)
{
    const int stats = rig_lanes(r, "stats", RIG_READ, 2 * (size_t)r->dim[0]);
    rig_fill(r, stats, 0.3, 1.5);
    return stats;
}

/* A parameter whose gradient is summed over `depth` samples: kept, or used by a linear rule. */
static void maybe_param(rig *r, struct rig_param *p, double depth)
{
    if (!r->large && rig_between(r, 0, 1) < 0.2)
        return;
    rig_param(r, p, false, 1, (size_t)r->dim[1], rig_flip(r));
    r->buffer[p->weight].depth = depth;
    p->args.optim = QS_OPTIM_sgd;
    if (p->grad != RIG_NONE) {
        r->buffer[p->grad].use = RIG_WRITE;
        r->buffer[p->grad].depth = depth;
        r->buffer[p->weight].use = RIG_READ;
    }
}

SETUP(batch_norm_stats)
{
    const size_t features = norm_sizes(r), channels = (size_t)r->dim[1];
    r->in[0] = rig_lanes(r, "x", RIG_READ, features);
    r->out[0] = rig_add(r, "stats", RIG_ROWS, RIG_WRITE, 2, channels);
    rig_need_zero(r, r->out[0]);
    rig_param(r, &r->param, false, 1, channels, false);
    rig_param(r, &r->bias, false, 1, channels, false);
    rig_fill(r, r->bias.weight, 0.2, 2);
    r->items = channels;
}

SETUP(batch_norm)
{
    const size_t features = norm_sizes(r);
    r->in[0] = rig_lanes(r, "x", RIG_READ, features);
    r->in[1] = channel_stats(r);
    r->in[2] = maybe_row(r, "gamma");
    r->in[3] = maybe_row(r, "beta");
    r->out[0] = rig_lanes(r, "y", RIG_WRITE, features);
}

SETUP(batch_norm_dparam)
{
    const size_t features = norm_sizes(r), channels = (size_t)r->dim[1];
    const double depth = (double)r->n * r->dim[0];
    r->in[0] = add_dy(r, features);
    r->in[1] = rig_lanes(r, "x", RIG_READ, features);
    r->in[2] = channel_stats(r);
    r->out[0] = rig_add(r, "sums", RIG_ROWS, RIG_WRITE, 2, channels);
    rig_need_zero(r, r->out[0]);
    r->buffer[r->out[0]].depth = depth;
    maybe_param(r, &r->param, depth);
    maybe_param(r, &r->bias, depth);
    r->items = (channels + QS_LANE - 1) / QS_LANE;
}

SETUP(batch_norm_dx)
{
    const size_t features = norm_sizes(r);
    r->in[0] = add_dy(r, features);
    r->in[1] = rig_lanes(r, "x", RIG_READ, features);
    r->in[2] = channel_stats(r);
    r->in[3] = maybe_row(r, "gamma");
    r->in[4] = rig_add(r, "sums", RIG_ROWS, RIG_READ, 2, (size_t)r->dim[1]);
    r->out[0] = add_dx(r, features);
}

SETUP(layer_norm)
{
    const size_t features = norm_sizes(r);
    r->in[0] = rig_lanes(r, "x", RIG_READ, features);
    r->in[1] = maybe_row(r, "gamma");
    r->in[2] = maybe_row(r, "beta");
    r->out[0] = rig_lanes(r, "y", RIG_WRITE, features);
    r->out[1] = rig_lanes(r, "stats", RIG_WRITE, 2 * (size_t)r->dim[0]);
    for (int k = 0; k < 2; k++)
        r->buffer[r->out[k]].depth = r->dim[1];
}

SETUP(layer_norm_dx)
{
    const size_t features = norm_sizes(r);
    r->in[0] = add_dy(r, features);
    r->in[1] = rig_lanes(r, "x", RIG_READ, features);
    r->in[2] = row_stats(r);
    r->in[3] = maybe_row(r, "gamma");
    r->out[0] = add_dx(r, features);
    r->buffer[r->out[0]].depth = r->dim[1];
}

SETUP(layer_norm_dparam)
{
    const size_t features = norm_sizes(r);
    const double depth = (double)r->n * r->dim[0];
    r->in[0] = add_dy(r, features);
    r->in[1] = rig_lanes(r, "x", RIG_READ, features);
    r->in[2] = row_stats(r);
    maybe_param(r, &r->param, depth);
    maybe_param(r, &r->bias, depth);
    r->items = ((size_t)r->dim[1] + QS_LANE - 1) / QS_LANE;
}
