/* SPDX-License-Identifier: MIT */
/* softmax.c - softmax and its logarithm over the last axis. dim: rows, classes. */
#include <math.h>

#include "kernels/math.h"
#include "kernels/vec/ops.h"

enum { ROWS, CLASSES };

typedef void (*row_fn)(const float *in0, const float *in1, float *out, size_t classes,
                       size_t lanes);

static void each_row(const qs_kernel_args *a, row_fn run)
{
    const size_t classes = (size_t)a->dim[CLASSES];
    for (size_t t = 0; t < (size_t)a->dim[ROWS]; t++) {
        const size_t at = t * classes * a->lanes;
        run(a->in[0] + at, (a->in[1] ? a->in[1] : a->in[0]) + at, a->out[0] + at, classes,
            a->lanes);
    }
}

/* The largest of each lane's classes, and the sum of exp(x - largest). */
static void top_and_sum(const float *x, size_t classes, size_t lanes, float *top, float *sum)
{
    for (size_t i = 0; i < lanes; i++) {
        top[i] = x[i];
        sum[i] = 0;
    }
    for (size_t c = 1; c < classes; c++)
        for (size_t i = 0; i < lanes; i++)
            top[i] = x[c * lanes + i] > top[i] ? x[c * lanes + i] : top[i];
    for (size_t c = 0; c < classes; c++)
        for (size_t i = 0; i < lanes; i++)
            sum[i] += qs_expf(x[c * lanes + i] - top[i]);
}

static void softmax_row(const float *x, const float *unused, float *y, size_t classes, size_t lanes)
{
    (void)unused;
    float top[QS_SLICE], sum[QS_SLICE];
    top_and_sum(x, classes, lanes, top, sum);
    for (size_t c = 0; c < classes; c++)
        for (size_t i = 0; i < lanes; i++)
            y[c * lanes + i] = qs_expf(x[c * lanes + i] - top[i]) / sum[i];
}

static void log_softmax_row(const float *x, const float *unused, float *y, size_t classes,
                            size_t lanes)
{
    (void)unused;
    float top[QS_SLICE], sum[QS_SLICE];
    top_and_sum(x, classes, lanes, top, sum);
    for (size_t i = 0; i < lanes; i++)
        sum[i] = qs_logf(sum[i]);
    for (size_t c = 0; c < classes; c++)
        for (size_t i = 0; i < lanes; i++)
            y[c * lanes + i] = x[c * lanes + i] - top[i] - sum[i];
}

/* dx = y * (dy - sum of y * dy) */
static void softmax_grad_row(const float *dy, const float *y, float *dx, size_t classes,
                             size_t lanes)
{
    float sum[QS_SLICE] = {0};
    for (size_t c = 0; c < classes; c++)
        for (size_t i = 0; i < lanes; i++)
            sum[i] += y[c * lanes + i] * dy[c * lanes + i];
    for (size_t c = 0; c < classes; c++)
        for (size_t i = 0; i < lanes; i++)
            dx[c * lanes + i] = y[c * lanes + i] * (dy[c * lanes + i] - sum[i]);
}

/* dx = dy - exp(y) * sum of dy */
static void log_softmax_grad_row(const float *dy, const float *y, float *dx, size_t classes,
                                 size_t lanes)
{
    float sum[QS_SLICE] = {0};
    for (size_t c = 0; c < classes; c++)
        for (size_t i = 0; i < lanes; i++)
            sum[i] += dy[c * lanes + i];
    for (size_t c = 0; c < classes; c++)
        for (size_t i = 0; i < lanes; i++)
            dx[c * lanes + i] = dy[c * lanes + i] - qs_expf(y[c * lanes + i]) * sum[i];
}

/* in: x; out: y. */
void QS_RUNG(qs_op_softmax)(const qs_kernel_args *a)
{
    each_row(a, softmax_row);
}

/* in: dy, y; out: dx. */
void QS_RUNG(qs_op_softmax_grad)(const qs_kernel_args *a)
{
    each_row(a, softmax_grad_row);
}

/* in: x; out: y. */
void QS_RUNG(qs_op_log_softmax)(const qs_kernel_args *a)
{
    each_row(a, log_softmax_row);
}

/* in: dy, y; out: dx. */
void QS_RUNG(qs_op_log_softmax_grad)(const qs_kernel_args *a)
{
    each_row(a, log_softmax_grad_row);
}
