/* SPDX-License-Identifier: MIT */
/* optim.c - the update rules of Keras 3. g gradient, w weight; constants: see kernels/optim.h. */
#include "kernels/optim.h"

#include <math.h>

#include "kernels/math.h"
#include "kernels/vec/vec.h"

#define UPDATE(name)                                                                               \
    void QS_RUNG(qs_update_##name)(size_t n, const float *restrict g, float *restrict w,           \
                                   float *const *slot, const float *c);                            \
    void QS_RUNG(qs_update_##name)(size_t n, const float *restrict g, float *restrict w,           \
                                   float *const *slot, const float *c)

UPDATE(sgd)
{
    (void)slot;
    const float keep = c[QS_C_KEEP], rate = c[QS_C_RATE];
    for (size_t i = 0; i < n; i++)
        w[i] = w[i] * keep - rate * g[i];
}

/* The rate is inside the momentum. */
UPDATE(sgd_momentum)
{
    const float keep = c[QS_C_KEEP], rate = c[QS_C_RATE], momentum = c[QS_C_MOMENTUM];
    float *restrict m = slot[0];
    for (size_t i = 0; i < n; i++) {
        m[i] = momentum * m[i] - rate * g[i];
        w[i] = w[i] * keep + m[i];
    }
}

UPDATE(sgd_nesterov)
{
    const float keep = c[QS_C_KEEP], rate = c[QS_C_RATE], momentum = c[QS_C_MOMENTUM];
    float *restrict m = slot[0];
    for (size_t i = 0; i < n; i++) {
        m[i] = momentum * m[i] - rate * g[i];
        w[i] = w[i] * keep + (momentum * m[i] - rate * g[i]);
    }
}

/* Epsilon is inside the root. */
UPDATE(rmsprop)
{
    const float keep = c[QS_C_KEEP], rate = c[QS_C_RATE], rho = c[QS_C_RHO];
    const float less = c[QS_C_LESS_RHO], epsilon = c[QS_C_EPSILON];
    float *restrict v = slot[0];
    for (size_t i = 0; i < n; i++) {
        v[i] = rho * v[i] + less * (g[i] * g[i]);
        w[i] = w[i] * keep - rate * g[i] / sqrtf(v[i] + epsilon);
    }
}

UPDATE(rmsprop_momentum)
{
    const float keep = c[QS_C_KEEP], rate = c[QS_C_RATE], rho = c[QS_C_RHO];
    const float less = c[QS_C_LESS_RHO], epsilon = c[QS_C_EPSILON];
    const float momentum = c[QS_C_RMSPROP_MOMENTUM];
    float *restrict v = slot[0], *restrict m = slot[1];
    for (size_t i = 0; i < n; i++) {
        v[i] = rho * v[i] + less * (g[i] * g[i]);
        m[i] = momentum * m[i] + rate * g[i] / sqrtf(v[i] + epsilon);
        w[i] = w[i] * keep - m[i];
    }
}

UPDATE(rmsprop_centered)
{
    const float keep = c[QS_C_KEEP], rate = c[QS_C_RATE], rho = c[QS_C_RHO];
    const float less = c[QS_C_LESS_RHO], epsilon = c[QS_C_EPSILON];
    float *restrict v = slot[0], *restrict mean = slot[1];
    for (size_t i = 0; i < n; i++) {
        v[i] = rho * v[i] + less * (g[i] * g[i]);
        mean[i] = rho * mean[i] + less * g[i];
        w[i] = w[i] * keep - rate * g[i] / sqrtf(v[i] - mean[i] * mean[i] + epsilon);
    }
}

UPDATE(rmsprop_momentum_centered)
{
    const float keep = c[QS_C_KEEP], rate = c[QS_C_RATE], rho = c[QS_C_RHO];
    const float less = c[QS_C_LESS_RHO], epsilon = c[QS_C_EPSILON];
    const float momentum = c[QS_C_RMSPROP_MOMENTUM];
    float *restrict v = slot[0], *restrict m = slot[1], *restrict mean = slot[2];
    for (size_t i = 0; i < n; i++) {
        v[i] = rho * v[i] + less * (g[i] * g[i]);
        mean[i] = rho * mean[i] + less * g[i];
        m[i] = momentum * m[i] + rate * g[i] / sqrtf(v[i] - mean[i] * mean[i] + epsilon);
        w[i] = w[i] * keep - m[i];
    }
}

UPDATE(adagrad)
{
    const float keep = c[QS_C_KEEP], rate = c[QS_C_RATE], epsilon = c[QS_C_ADAGRAD_EPSILON];
    float *restrict v = slot[0];
    for (size_t i = 0; i < n; i++) {
        v[i] += g[i] * g[i];
        w[i] = w[i] * keep - rate * g[i] / sqrtf(v[i] + epsilon);
    }
}

/* The rate is outside what is accumulated. */
UPDATE(adadelta)
{
    const float keep = c[QS_C_KEEP], rate = c[QS_C_RATE], rho = c[QS_C_RHO];
    const float less = c[QS_C_LESS_RHO], epsilon = c[QS_C_EPSILON];
    float *restrict v = slot[0], *restrict moved = slot[1];
    for (size_t i = 0; i < n; i++) {
        v[i] = rho * v[i] + less * (g[i] * g[i]);
        const float step = sqrtf(moved[i] + epsilon) * g[i] / sqrtf(v[i] + epsilon);
        moved[i] = rho * moved[i] + less * (step * step);
        w[i] = w[i] * keep - rate * step;
    }
}

/* A moment moves a little towards x. */
INLINE vec follow(float *moment, vec x, float little)
{
    const vec old = load(moment), new = old + (x - old) * little;
    store(moment, new);
    return new;
}

/* RATE holds the corrections for bias; epsilon is added to the uncorrected root. */
UPDATE(adam)
{
    const float keep = c[QS_C_KEEP], rate = c[QS_C_RATE], less_1 = c[QS_C_LESS_BETA_1];
    const float less_2 = c[QS_C_LESS_BETA_2], epsilon = c[QS_C_ADAM_EPSILON];
    float *restrict m = slot[0], *restrict v = slot[1];
    for (size_t i = 0; i < n; i += VEC) {
        const vec slope = load(g + i);
        const vec m1 = follow(m + i, slope, less_1), v1 = follow(v + i, slope * slope, less_2);
        store(w + i, load(w + i) * keep - over_root(rate * m1, v1, epsilon));
    }
}

/* The maximum is of the uncorrected second moment. */
UPDATE(adam_amsgrad)
{
    const float keep = c[QS_C_KEEP], rate = c[QS_C_RATE], less_1 = c[QS_C_LESS_BETA_1];
    const float less_2 = c[QS_C_LESS_BETA_2], epsilon = c[QS_C_ADAM_EPSILON];
    float *restrict m = slot[0], *restrict v = slot[1], *restrict top = slot[2];
    for (size_t i = 0; i < n; i += VEC) {
        const vec slope = load(g + i), old = load(top + i);
        const vec m1 = follow(m + i, slope, less_1), v1 = follow(v + i, slope * slope, less_2);
        const vec highest = larger(old, v1);
        store(top + i, highest);
        store(w + i, load(w + i) * keep - over_root(rate * m1, highest, epsilon));
    }
}

/* RATE holds the correction for bias; epsilon is added after the maximum. */
UPDATE(adamax)
{
    const float keep = c[QS_C_KEEP], rate = c[QS_C_RATE], less_1 = c[QS_C_LESS_BETA_1];
    const float beta_2 = c[QS_C_BETA_2], epsilon = c[QS_C_ADAM_EPSILON];
    float *restrict m = slot[0], *restrict u = slot[1];
    for (size_t i = 0; i < n; i++) {
        m[i] += (g[i] - m[i]) * less_1;
        const float old = beta_2 * u[i], new = qs_absf(g[i]);
        u[i] = old > new ? old : new;
        w[i] = w[i] * keep - rate * m[i] / (u[i] + epsilon);
    }
}

/* OF_M, OF_G: rate times what the schedule of mu gives the two; epsilon is added to the corrected
 * root. */
UPDATE(nadam)
{
    const float keep = c[QS_C_KEEP], less_1 = c[QS_C_LESS_BETA_1], less_2 = c[QS_C_LESS_BETA_2];
    const float epsilon = c[QS_C_ADAM_EPSILON], of_m = c[QS_C_OF_M], of_g = c[QS_C_OF_G];
    const float correct = c[QS_C_CORRECT_V];
    float *restrict m = slot[0], *restrict v = slot[1];
    for (size_t i = 0; i < n; i += VEC) {
        const vec slope = load(g + i);
        const vec m1 = follow(m + i, slope, less_1), v1 = follow(v + i, slope * slope, less_2);
        const vec step = over_root(of_m * m1 + of_g * slope, v1 * correct, epsilon);
        store(w + i, load(w + i) * keep - step);
    }
}

UPDATE(lion)
{
    const float keep = c[QS_C_KEEP], rate = c[QS_C_RATE], beta_1 = c[QS_C_LION_BETA_1];
    const float less_1 = c[QS_C_LION_LESS_1], beta_2 = c[QS_C_LION_BETA_2];
    const float less_2 = c[QS_C_LION_LESS_2];
    float *restrict m = slot[0];
    for (size_t i = 0; i < n; i++) {
        const float way = m[i] * beta_1 + g[i] * less_1;
        w[i] = w[i] * keep - ((way > 0.0f ? rate : 0.0f) - (way < 0.0f ? rate : 0.0f));
        m[i] = m[i] * beta_2 + g[i] * less_2;
    }
}

/* learning_rate_power -0.5: powers are roots. */
UPDATE(ftrl)
{
    const float keep = c[QS_C_KEEP], per_rate = c[QS_C_PER_RATE], l1 = c[QS_C_L1];
    const float twice_l2 = c[QS_C_TWICE_L2], twice_shrink = c[QS_C_TWICE_SHRINK];
    float *restrict v = slot[0], *restrict z = slot[1];
    for (size_t i = 0; i < n; i++) {
        const float kept = w[i] * keep, now = v[i] + g[i] * g[i], root = sqrtf(now);
        z[i] += g[i] + twice_shrink * kept - (root - sqrtf(v[i])) * per_rate * kept;
        const float bend = root * per_rate + twice_l2, pull = qs_clipf(z[i], -l1, l1) - z[i];
        w[i] = bend > 0.0f ? pull / bend : 0.0f;
        v[i] = now;
    }
}
