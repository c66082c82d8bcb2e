/* SPDX-License-Identifier: MIT */
/* cases_param.c - from gradients to weights. */
#include <math.h>
#include <string.h>

#include "cases.h"
#include "kernels/constraint.h"

static size_t add_param(rig *r, bool kept)
{
    const bool matrix = r->large || rig_flip(r);
    const size_t rows = matrix ? rig_pick(r, 60) : 1, cols = rig_pick(r, 150);
    rig_param(r, &r->param, matrix, rows, cols, kept);
    r->param.args.l1 = rig_flip(r) ? 0 : 0.01f;
    r->param.args.l2 = rig_flip(r) ? 0 : 0.02f;
    if (kept)
        r->buffer[r->param.grad].use = RIG_READ;
    return rows * cols;
}

SETUP(penalty)
{
    add_param(r, false);
    r->buffer[r->param.weight].use = RIG_READ;
}

SETUP(grad_norm)
{
    add_param(r, true);
    r->buffer[r->param.weight].use = RIG_READ;
}

/* As in a first step: nothing in the slots, gradients of all sizes and none, a small epsilon. */
static void begin(rig *r)
{
    rig_buffer *g = &r->buffer[r->param.grad];
    for (size_t i = 0; i < g->floats; i++) {
        const double size = pow(10, rig_between(r, -12, 3));
        g->start[i] *= rig_between(r, 0, 1) < 0.1 ? 0 : (float)size;
    }
    for (int k = 0; k < QS_OPTIM_SLOTS; k++)
        rig_fill(r, r->param.slot[k], 0, 0);
    r->step.optim[r->kind == QS_OPTIM_adagrad ? QS_C_ADAGRAD_EPSILON : QS_C_ADAM_EPSILON] = 1e-7f;
}

/* Without a norm, with its own, with that of all. */
SETUP(update)
{
    const double square = (double)add_param(r, true), which = rig_between(r, 0, 3);
    /* ftrl's weights are what is left of z past l1: rounding of a large z would be all there is */
    if (!r->large && r->kind != QS_OPTIM_ftrl && rig_flip(r))
        begin(r);
    r->param.args.optim = r->kind;
    r->param.args.clip_value = rig_flip(r) ? 0 : 0.3f;
    if (r->large || which < 1)
        return;
    r->dim[0] = RIG_SUMS;
    r->dim[1] = 2;
    r->arg[which < 2 ? 0 : 1] = 2.5f;
    for (int k = 0; k < RIG_SUMS; k++)
        r->sum_start[k] = rig_flip(r) ? 0.5 : square;
}

SETUP(constrain)
{
    static const float range[] = {0.2f, 0.8f, 0.7f};
    add_param(r, false);
    r->dim[0] = r->kind;
    r->dim[1] = rig_flip(r) ? 1 : (int32_t)rig_pick(r, 9);
    memcpy(r->arg, range, sizeof range);
    r->items = qs_blocks(r->param.args.cols);
    r->buffer[r->param.weight].depth =
        (double)(r->param.args.matrix ? r->param.args.rows : r->param.args.cols);
}
