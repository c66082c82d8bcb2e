/* SPDX-License-Identifier: MIT */
/* eltwise.c - work that knows no other element: activations, dropout, noise, scaling. */
#include <math.h>
#include <string.h>

#include "kernels/math.h"
#include "kernels/vec/dropout.h"
#include "kernels/vec/ops.h"

static size_t count_of(const qs_kernel_args *a)
{
    return (size_t)a->dim[0] * a->lanes;
}

/* in: x; out: y. dim: features, activation. */
void QS_RUNG(qs_op_activation)(const qs_kernel_args *a)
{
    QS_RUNG(qs_activate)(a->dim[1], count_of(a), a->in[0], a->out[0], a->arg);
}

/* in: dy, and x or y; out: dx. */
void QS_RUNG(qs_op_activation_grad)(const qs_kernel_args *a)
{
    QS_RUNG(qs_activate_grad)(a->dim[1], count_of(a), a->in[0], a->in[1], a->out[0], a->arg);
}

/* in: x or dy; out: what is kept of it, scaled by 1 / (1 - rate); outside training a copy. dim:
 * features, tensor; arg: rate. The backward pass runs the same call: the same numbers come again. */
void QS_RUNG(qs_op_dropout)(const qs_kernel_args *a)
{
    if (!a->step->training) {
        memcpy(a->out[0], a->in[0], count_of(a) * sizeof(float));
        return;
    }
    const uint32_t key = dropout_key(a, a->dim[1]);
    for (size_t f = 0; f < (size_t)a->dim[0]; f++)
        dropout_lanes(a->lanes, key, dropout_counter(a, f), a->arg[0], a->in[0] + f * a->lanes,
                      a->out[0] + f * a->lanes);
}

/* Inverse error function, |error| < 4e-7 (Giles 2010, single precision). */
static inline float erf_inverse(float x)
{
    const float w = -qs_logf((1 - x) * (1 + x));
    const float a = w - 2.5f, b = sqrtf(w) - 3;
    float p = 2.81022636e-08f;
    p = 3.43273939e-07f + p * a;
    p = -3.5233877e-06f + p * a;
    p = -4.39150654e-06f + p * a;
    p = 0.00021858087f + p * a;
    p = -0.00125372503f + p * a;
    p = -0.00417768164f + p * a;
    p = 0.246640727f + p * a;
    p = 1.50140941f + p * a;
    float q = -0.000200214257f;
    q = 0.000100950558f + q * b;
    q = 0.00134934322f + q * b;
    q = -0.00367342844f + q * b;
    q = 0.00573950773f + q * b;
    q = -0.0076224613f + q * b;
    q = 0.00943887047f + q * b;
    q = 1.00167406f + q * b;
    q = 2.83297682f + q * b;
    return (w < 5 ? p : q) * x;
}

/* in: x; out: x plus normal noise; outside training a copy. dim: features, tensor; arg: stddev. */
void QS_RUNG(qs_op_noise)(const qs_kernel_args *a)
{
    const uint32_t key = dropout_key(a, a->dim[1]);
    const float scale = a->step->training ? a->arg[0] * 1.41421356f : 0;
    for (size_t f = 0; f < (size_t)a->dim[0]; f++) {
        const uint32_t counter = dropout_counter(a, f);
        const float *x = a->in[0] + f * a->lanes;
        float *y = a->out[0] + f * a->lanes;
        for (size_t i = 0; i < a->lanes; i++) {
            const uint32_t bits = qs_random32(key, counter + (uint32_t)i) >> 9; /* 23 bits */
            const float u = ((float)(int32_t)bits + 0.5f) * 0x1p-22f - 1;       /* in (-1, 1) */
            y[i] = x[i] + scale * erf_inverse(u);
        }
    }
}

enum { FEATURES, CHANNELS };

/* in: x, scale, offset, centre [channels]; out: (x - centre) * scale + offset. dim: features,
 * channels: the last axis of a sample, or 1. */
void QS_RUNG(qs_op_affine)(const qs_kernel_args *a)
{
    for (size_t f = 0; f < (size_t)a->dim[FEATURES]; f++) {
        const size_t c = f % (size_t)a->dim[CHANNELS];
        const float scale = a->in[1][c], offset = a->in[2][c], centre = a->in[3][c];
        for (size_t i = f * a->lanes; i < (f + 1) * a->lanes; i++)
            a->out[0][i] = (a->in[0][i] - centre) * scale + offset;
    }
}

/* in: dy, scale; out: dx. */
void QS_RUNG(qs_op_affine_grad)(const qs_kernel_args *a)
{
    for (size_t f = 0; f < (size_t)a->dim[FEATURES]; f++) {
        const float scale = a->in[1][f % (size_t)a->dim[CHANNELS]];
        for (size_t i = f * a->lanes; i < (f + 1) * a->lanes; i++)
            a->out[0][i] = a->in[0][i] * scale;
    }
}

/* Where the slope of feature f is kept. dim: features, three axes of a sample, and the stride of
 * each in the slopes (0 where an axis is shared). */
static size_t slope_of(const int32_t *dim, size_t f)
{
    const size_t d1 = (size_t)dim[2], d2 = (size_t)dim[3];
    const size_t i = f / (d1 * d2), j = f / d2 % d1, k = f % d2;
    return i * (size_t)dim[4] + j * (size_t)dim[5] + k * (size_t)dim[6];
}

/* in: x, alpha; out: x where positive, alpha * x where not. */
void QS_RUNG(qs_op_prelu)(const qs_kernel_args *a)
{
    for (size_t f = 0; f < (size_t)a->dim[0]; f++) {
        const float alpha = a->in[1][slope_of(a->dim, f)];
        for (size_t i = f * a->lanes; i < (f + 1) * a->lanes; i++) {
            const float x = a->in[0][i];
            a->out[0][i] = x > 0 ? x : alpha * x;
        }
    }
}

/* in: dy, alpha, x; out: dx. */
void QS_RUNG(qs_op_prelu_dx)(const qs_kernel_args *a)
{
    for (size_t f = 0; f < (size_t)a->dim[0]; f++) {
        const float alpha = a->in[1][slope_of(a->dim, f)];
        for (size_t i = f * a->lanes; i < (f + 1) * a->lanes; i++)
            a->out[0][i] = a->in[0][i] * (a->in[2][i] > 0 ? 1 : alpha);
    }
}

/* in: dy, x, whole batch; param: alpha. One item: shared slopes gather over features. */
void QS_RUNG(qs_op_prelu_dparam)(const qs_kernel_args *a)
{
    const size_t features = (size_t)a->dim[0];
    float *g = a->out[0];
    memset(g, 0, qs_round_up(a->param->cols, QS_LANE) * sizeof *g);
    for (size_t s = 0; s < a->slicing->slices; s++) {
        const size_t lanes = qs_slice_lanes(a->slicing, s), valid = qs_slice_valid(a->slicing, s);
        const size_t at = qs_slice_first(a->slicing, s) * features;
        for (size_t f = 0; f < features; f++) {
            float sum = 0;
            for (size_t i = at + f * lanes; i < at + f * lanes + valid; i++)
                sum += a->in[1][i] > 0 ? 0 : a->in[0][i] * a->in[1][i];
            g[slope_of(a->dim, f)] += sum;
        }
    }
    QS_RUNG(qs_param_finish)(a, a->param, 0, qs_round_up(a->param->cols, QS_LANE), g);
}
