/* SPDX-License-Identifier: MIT */
/* row_losses.c - losses that look at all outputs of a sample together. */
#include <math.h>

#include "kernels/math.h"
#include "kernels/vec/score.h"

typedef float lane[QS_SCORE_LANES]; /* one number per sample of the slice */

/* What a sample's gradient is multiplied with: its weight over the samples of the batch. */
static void fill_factor(const qs_loss_args *a, lane factor)
{
    for (size_t i = 0; i < a->lanes; i++)
        factor[i] = a->weight[i] * a->scale;
}

static inline float weighted(float slope, float factor)
{
    return factor != 0.0f ? slope * factor : 0.0f;
}

static void fill(lane x, size_t lanes, float value)
{
    for (size_t i = 0; i < lanes; i++)
        x[i] = value;
}

static void row_max(const qs_loss_args *a, lane top)
{
    fill(top, a->lanes, -__builtin_inff());
    for (size_t k = 0; k < a->outputs; k++) {
        const float *restrict x = a->pred + k * a->lanes;
        for (size_t i = 0; i < a->lanes; i++)
            top[i] = x[i] < top[i] ? top[i] : x[i];
    }
}

static void row_sum(const qs_loss_args *a, lane sum)
{
    fill(sum, a->lanes, 0.0f);
    for (size_t k = 0; k < a->outputs; k++) {
        const float *restrict x = a->pred + k * a->lanes;
        for (size_t i = 0; i < a->lanes; i++)
            sum[i] += x[i];
    }
}

/* Label smoothing of several classes: y * keep + spread. */
typedef struct smoothing {
    float keep, spread;
} smoothing;

static smoothing smoothing_of(const qs_loss_args *a, float fraction)
{
    return (smoothing){1.0f - fraction, fraction / (float)a->outputs};
}

/* Sum of exp(x - top); for each sample the targets' sum and their product with x - top. */
static void exp_sums(const qs_loss_args *a, smoothing s, const lane top, lane sum, lane dot)
{
    fill(sum, a->lanes, 0.0f);
    fill(dot, a->lanes, 0.0f);
    lane labels;
    fill(labels, a->lanes, 0.0f);
    for (size_t k = 0; k < a->outputs; k++) {
        const float *restrict x = a->pred + k * a->lanes, *restrict y = a->target + k * a->lanes;
        for (size_t i = 0; i < a->lanes; i++) {
            const float label = y[i] * s.keep + s.spread, d = x[i] - top[i];
            sum[i] += qs_expf(d);
            labels[i] += label;
            dot[i] += label != 0.0f ? label * d : 0.0f;
        }
    }
    for (size_t i = 0; i < a->lanes; i++)
        dot[i] = labels[i] * qs_logf(sum[i]) - dot[i];
}

/* The slope is softmax - y even where the targets do not sum to 1: so it is in TensorFlow. */
static double softmax_crossentropy(const qs_loss_args *a, smoothing s)
{
    lane top, sum, loss, factor;
    row_max(a, top);
    exp_sums(a, s, top, sum, loss);
    fill_factor(a, factor);
    lane unused_grad, unused_prob;
    for (size_t i = 0; i < a->lanes; i++)
        sum[i] = 1.0f / sum[i];
    for (size_t k = 0; (a->grad || a->prob) && k < a->outputs; k++) {
        const float *restrict x = a->pred + k * a->lanes, *restrict y = a->target + k * a->lanes;
        float *restrict grad = a->grad ? a->grad + k * a->lanes : unused_grad;
        float *restrict prob = a->prob ? a->prob + k * a->lanes : unused_prob;
        for (size_t i = 0; i < a->lanes; i++) {
            const float q = qs_expf(x[i] - top[i]) * sum[i];
            prob[i] = q;
            grad[i] = weighted(q - (y[i] * s.keep + s.spread), factor[i]);
        }
    }
    return qs_weighted_sum(a->weight, loss, a->lanes);
}

double QS_RUNG(qs_loss_categorical_crossentropy_logits)(const qs_loss_args *a)
{
    return softmax_crossentropy(a, smoothing_of(a, a->arg[1]));
}

double QS_RUNG(qs_loss_sparse_categorical_crossentropy_logits)(const qs_loss_args *a)
{
    return softmax_crossentropy(a, smoothing_of(a, 0.0f));
}

/* d loss / d q of one clipped probability q = p / sum; clipped ones have none. */
static inline float log_slope(float q, float label)
{
    const bool clipped = q < QS_SCORE_TINY || q > QS_SCORE_ALMOST_1;
    return clipped ? 0.0f : -label / q;
}

/* q = p / sum, clipped: loss = - sum y log q. d loss / d p = (slope - sum of slope * q) / sum. */
double QS_RUNG(qs_loss_categorical_crossentropy)(const qs_loss_args *a)
{
    const smoothing s = smoothing_of(a, a->arg[1]);
    lane sum, loss, slopes, factor;
    row_sum(a, sum);
    fill_factor(a, factor);
    fill(loss, a->lanes, 0.0f);
    fill(slopes, a->lanes, 0.0f);
    for (size_t k = 0; k < a->outputs; k++) {
        const float *restrict p = a->pred + k * a->lanes, *restrict y = a->target + k * a->lanes;
        for (size_t i = 0; i < a->lanes; i++) {
            const float q = p[i] / sum[i], label = y[i] * s.keep + s.spread;
            loss[i] -= label * qs_logf(qs_clipf(q, QS_SCORE_TINY, QS_SCORE_ALMOST_1));
            slopes[i] += log_slope(q, label) * q;
        }
    }
    for (size_t k = 0; a->grad && k < a->outputs; k++) {
        const float *restrict p = a->pred + k * a->lanes, *restrict y = a->target + k * a->lanes;
        float *restrict grad = a->grad + k * a->lanes;
        for (size_t i = 0; i < a->lanes; i++) {
            const float slope = log_slope(p[i] / sum[i], y[i] * s.keep + s.spread);
            grad[i] = weighted((slope - slopes[i]) / sum[i], factor[i]);
        }
    }
    return qs_weighted_sum(a->weight, loss, a->lanes);
}

static inline float clipped(float p)
{
    return qs_clipf(p, QS_SCORE_TINY, QS_SCORE_ALMOST_1);
}

/* Softmax of the logarithms of clipped probabilities, as Keras on TensorFlow does it for classes:
 * loss = log(sum q) - sum y log q, q the clipped p; not the same as the form above. */
double QS_RUNG(qs_loss_sparse_categorical_crossentropy)(const qs_loss_args *a)
{
    lane sum, loss, factor;
    fill_factor(a, factor);
    fill(sum, a->lanes, 0.0f);
    fill(loss, a->lanes, 0.0f);
    for (size_t k = 0; k < a->outputs; k++) {
        const float *restrict p = a->pred + k * a->lanes, *restrict y = a->target + k * a->lanes;
        for (size_t i = 0; i < a->lanes; i++) {
            sum[i] += clipped(p[i]);
            loss[i] -= y[i] * qs_logf(clipped(p[i]));
        }
    }
    for (size_t i = 0; i < a->lanes; i++)
        loss[i] += qs_logf(sum[i]);
    for (size_t k = 0; a->grad && k < a->outputs; k++) {
        const float *restrict p = a->pred + k * a->lanes, *restrict y = a->target + k * a->lanes;
        float *restrict grad = a->grad + k * a->lanes;
        for (size_t i = 0; i < a->lanes; i++) {
            const float q = clipped(p[i]), slope = 1.0f / sum[i] - y[i] / q;
            grad[i] = weighted(q == p[i] ? slope : 0.0f, factor[i]);
        }
    }
    return qs_weighted_sum(a->weight, loss, a->lanes);
}

/* Of each sample: right = sum y p, wrong = max (1 - y) p, and how many outputs share that maximum. */
static void hinge_sides(const qs_loss_args *a, lane right, lane wrong, lane ties)
{
    fill(right, a->lanes, 0.0f);
    fill(wrong, a->lanes, -__builtin_inff());
    fill(ties, a->lanes, 0.0f);
    for (size_t k = 0; k < a->outputs; k++) {
        const float *restrict p = a->pred + k * a->lanes, *restrict y = a->target + k * a->lanes;
        for (size_t i = 0; i < a->lanes; i++) {
            const float x = (1.0f - y[i]) * p[i];
            right[i] += y[i] * p[i];
            ties[i] = x > wrong[i] ? 1.0f : ties[i] + (x == wrong[i] ? 1.0f : 0.0f);
            wrong[i] = x < wrong[i] ? wrong[i] : x;
        }
    }
}

/* max(wrong - right + 1, 0); outputs that tie for `wrong` share its slope. */
double QS_RUNG(qs_loss_categorical_hinge)(const qs_loss_args *a)
{
    lane right, wrong, ties, loss, factor;
    hinge_sides(a, right, wrong, ties);
    fill_factor(a, factor);
    for (size_t i = 0; i < a->lanes; i++) {
        const float x = wrong[i] - right[i] + 1.0f;
        loss[i] = qs_clipf(x, 0.0f, __builtin_inff());
        factor[i] = x < 0.0f ? 0.0f : factor[i];
    }
    for (size_t k = 0; a->grad && k < a->outputs; k++) {
        const float *restrict p = a->pred + k * a->lanes, *restrict y = a->target + k * a->lanes;
        float *restrict grad = a->grad + k * a->lanes;
        for (size_t i = 0; i < a->lanes; i++) {
            const float of_wrong = (1.0f - y[i]) * p[i] == wrong[i] ? 1.0f / ties[i] : 0.0f;
            grad[i] = weighted(of_wrong * (1.0f - y[i]) - y[i], factor[i]);
        }
    }
    return qs_weighted_sum(a->weight, loss, a->lanes);
}

/* 1 / max(norm, epsilon) of what `from` holds. */
static void inverse_norm(const float *from, size_t outputs, size_t lanes, lane inverse)
{
    fill(inverse, lanes, 0.0f);
    for (size_t k = 0; k < outputs; k++)
        for (size_t i = 0; i < lanes; i++)
            inverse[i] += from[k * lanes + i] * from[k * lanes + i];
    for (size_t i = 0; i < lanes; i++)
        inverse[i] = 1.0f / qs_maxf(sqrtf(inverse[i]), QS_SCORE_TINY);
}

/* loss = - sum of a b, with a, b the rows divided by their norms; d loss / d p = (- b - loss a)
 * / norm, without the second part where the norm was too small to divide by. */
double QS_RUNG(qs_loss_cosine_similarity)(const qs_loss_args *a)
{
    lane per_p, per_y, loss, factor;
    inverse_norm(a->pred, a->outputs, a->lanes, per_p);
    inverse_norm(a->target, a->outputs, a->lanes, per_y);
    fill_factor(a, factor);
    fill(loss, a->lanes, 0.0f);
    for (size_t k = 0; k < a->outputs; k++) {
        const float *restrict p = a->pred + k * a->lanes, *restrict y = a->target + k * a->lanes;
        for (size_t i = 0; i < a->lanes; i++)
            loss[i] -= (p[i] * per_p[i]) * (y[i] * per_y[i]);
    }
    for (size_t k = 0; a->grad && k < a->outputs; k++) {
        const float *restrict p = a->pred + k * a->lanes, *restrict y = a->target + k * a->lanes;
        float *restrict grad = a->grad + k * a->lanes;
        for (size_t i = 0; i < a->lanes; i++) {
            const float turned = per_p[i] < 1e7f ? loss[i] * p[i] * per_p[i] : 0.0f;
            grad[i] = weighted((-y[i] * per_y[i] - turned) * per_p[i], factor[i]);
        }
    }
    return qs_weighted_sum(a->weight, loss, a->lanes);
}
