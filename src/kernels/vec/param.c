/* SPDX-License-Identifier: MIT */
/* param.c - from gradients to weights: penalties, clipping, the optimizer's update, constraints. */
#include <math.h>
#include <string.h>

#include "kernels/constraint.h"
#include "kernels/kernels.h"
#include "kernels/vec/ops.h"

enum { CHUNK = QS_BLOCK * 24 }; /* floats at a time: stays in L1 */

/* g of n weights: the penalty's slope added, scaled, cut. */
static void shape_gradient(const qs_param_args *p, const float *w, size_t n, float scale, float *g)
{
    if (p->l1 != 0)
        for (size_t i = 0; i < n; i++)
            g[i] += p->l1 * (float)((w[i] > 0) - (w[i] < 0));
    if (p->l2 != 0)
        for (size_t i = 0; i < n; i++)
            g[i] += 2 * p->l2 * w[i];
    if (scale != 1)
        for (size_t i = 0; i < n; i++)
            g[i] *= scale;
    if (p->clip_value > 0)
        for (size_t i = 0; i < n; i++)
            g[i] = fminf(fmaxf(g[i], -p->clip_value), p->clip_value);
}

/* n <= CHUNK gradients become an update. */
static void apply(const qs_kernel_args *a, const qs_param_args *p, size_t at, size_t n, float scale,
                  const float *from)
{
    _Alignas(64) float g[CHUNK];
    const float *use = from;
    if (p->l1 != 0 || p->l2 != 0 || scale != 1 || p->clip_value > 0) {
        memcpy(g, from, n * sizeof *g);
        shape_gradient(p, p->weight + at, n, scale, g);
        use = g;
    }
    float *slot[QS_OPTIM_SLOTS];
    for (int k = 0; k < QS_OPTIM_SLOTS; k++)
        slot[k] = p->slot[k] ? p->slot[k] + at : NULL;
    a->tables->optim->update[p->optim](n, use, p->weight + at, slot, a->step->optim);
}

void QS_RUNG(qs_param_finish)(const qs_kernel_args *a, const qs_param_args *p, size_t at, size_t n,
                              const float *g)
{
    if (p->grad)
        memcpy(p->grad + at, g, n * sizeof *g);
    else
        apply(a, p, at, n, 1, g);
}

static size_t floats_of(const qs_param_args *p)
{
    return qs_blocked_size(p->rows, p->cols);
}

/* The sum of l1 |w| + l2 w² of one parameter; padding is zero. */
void QS_RUNG(qs_op_penalty)(const qs_kernel_args *a)
{
    const qs_param_args *p = a->param;
    double l1 = 0, l2 = 0;
    for (size_t i = 0; i < floats_of(p); i += QS_LANE) {
        float sum = 0, square = 0;
        for (size_t k = i; k < i + QS_LANE; k++) {
            sum += fabsf(p->weight[k]);
            square += p->weight[k] * p->weight[k];
        }
        l1 += (double)sum;
        l2 += (double)square;
    }
    a->sum[0] = (double)p->l1 * l1 + (double)p->l2 * l2;
}

/* The sum of squares of one parameter's gradient, penalties included. */
void QS_RUNG(qs_op_grad_norm)(const qs_kernel_args *a)
{
    const qs_param_args *p = a->param;
    double sum = 0;
    for (size_t i = 0; i < floats_of(p); i += QS_LANE) {
        float g[QS_LANE], square = 0;
        memcpy(g, p->grad + i, sizeof g);
        const qs_param_args whole = {.l1 = p->l1, .l2 = p->l2};
        shape_gradient(&whole, p->weight + i, QS_LANE, 1, g);
        for (size_t k = 0; k < QS_LANE; k++)
            square += g[k] * g[k];
        sum += (double)square;
    }
    a->sum[0] = sum;
}

/* The factor that clipping by norm asks for: limit / max(norm, limit). */
static float clip_factor(const qs_kernel_args *a)
{
    double square = 0, limit = (double)a->arg[0];
    if (a->dim[0] == 0)
        return 1;
    if (limit > 0)
        square = a->sum[a->dim[1]];
    else {
        limit = (double)a->arg[1];
        for (int i = 0; i < a->dim[0]; i++)
            square += a->sum[i];
    }
    const double norm = sqrt(square);
    return norm > limit ? (float)(limit / norm) : 1;
}

/* A kept gradient becomes an update. dim: norms there are, which is its own; arg: clipnorm,
 * global_clipnorm; sum: the norms. */
void QS_RUNG(qs_op_update)(const qs_kernel_args *a)
{
    const float scale = clip_factor(a);
    for (size_t at = 0; at < floats_of(a->param); at += CHUNK)
        apply(a, a->param, at, qs_min(CHUNK, floats_of(a->param) - at), scale, a->param->grad + at);
}

/* What a column of norm `norm` is multiplied by. Keras adds 1e-7 to the norm it divides by. */
static float constraint_factor(const qs_kernel_args *a, float norm)
{
    const float *arg = a->arg;
    switch (a->dim[0]) {
    case QS_CONSTRAINT_MAX_NORM:
        return fminf(norm, arg[0]) / (1e-7f + norm);
    case QS_CONSTRAINT_UNIT_NORM:
        return 1 / (1e-7f + norm);
    default: { /* min_value, max_value, rate */
        const float wanted = arg[2] * fminf(fmaxf(norm, arg[0]), arg[1]) + (1 - arg[2]) * norm;
        return wanted / (1e-7f + norm);
    }
    }
}

static void constrain_columns(const qs_kernel_args *a, float *w, size_t rows, size_t width)
{
    float norm[QS_BLOCK] = {0};
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < width; c++)
            norm[c] += w[r * width + c] * w[r * width + c];
    for (size_t c = 0; c < width; c++)
        norm[c] = constraint_factor(a, sqrtf(norm[c]));
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < width; c++)
            w[r * width + c] *= norm[c];
}

/* A norm for each of `cols` numbers of the first axis: one for the whole of a plain vector. */
static void constrain_vector(const qs_kernel_args *a, float *w, size_t n, size_t cols)
{
    for (size_t c = 0; c < cols; c++) {
        float square = 0;
        for (size_t i = c; i < n; i += cols)
            square += w[i] * w[i];
        const float factor = constraint_factor(a, sqrtf(square));
        for (size_t i = c; i < n; i += cols)
            w[i] *= factor;
    }
}

/* dim: constraint, numbers of a vector for each of its first axis. Items: blocks of columns; a vector
 * is done whole by the first. */
void QS_RUNG(qs_op_constrain)(const qs_kernel_args *a)
{
    const qs_param_args *p = a->param;
    for (size_t block = a->item; block < a->item + a->items; block++) {
        const size_t width = qs_block_width(p->cols, block);
        float *w = p->weight + qs_block_start(p->rows, block);
        if (a->dim[0] == QS_CONSTRAINT_NON_NEG)
            for (size_t i = 0; i < p->rows * width; i++)
                w[i] = fmaxf(w[i], 0);
        else if (p->matrix)
            constrain_columns(a, w, p->rows, width);
        else if (block == 0)
            constrain_vector(a, p->weight, p->cols, (size_t)a->dim[1]);
    }
}
