/* SPDX-License-Identifier: MIT */
/* losses.c - losses whose outputs do not know of each other: a mean or sum of one formula. */
#include "kernels/math.h"
#include "kernels/vec/score.h"

typedef struct element {
    float loss, slope; /* slope: d loss / d pred */
    float prob;        /* of logits forms */
} element;

typedef struct numbers {
    float a, b;
} numbers;

/* One output: p what the network gave, y the target. */
typedef element (*formula)(float p, float y, numbers c);

/* Inlined into each loss, so that the formula is part of the vector loop. share: 1 / outputs for a
 * mean, 1 for a sum. */
static inline __attribute__((always_inline)) double fold(const qs_loss_args *a, formula of,
                                                         numbers c, float share)
{
    float loss[QS_SCORE_LANES] = {0}, factor[QS_SCORE_LANES];
    float unused_grad[QS_SCORE_LANES], unused_prob[QS_SCORE_LANES];
    const size_t lanes = a->lanes;
    for (size_t i = 0; i < lanes; i++)
        factor[i] = a->weight[i] * a->scale * share;
    for (size_t k = 0; k < a->outputs; k++) {
        const float *restrict p = a->pred + k * lanes, *restrict y = a->target + k * lanes;
        float *restrict grad = a->grad ? a->grad + k * lanes : unused_grad;
        float *restrict prob = a->prob ? a->prob + k * lanes : unused_prob;
        for (size_t i = 0; i < lanes; i++) {
            const element e = of(p[i], y[i], c);
            loss[i] += e.loss;
            grad[i] = factor[i] != 0.0f ? e.slope * factor[i] : 0.0f;
            prob[i] = e.prob;
        }
    }
    return qs_weighted_sum(a->weight, loss, lanes) * (double)share;
}

static inline float mean_share(const qs_loss_args *a)
{
    return 1.0f / (float)a->outputs;
}

/* -1, 0 or 1. */
static inline float sign_of(float x)
{
    return (x > 0.0f ? 1.0f : 0.0f) - (x < 0.0f ? 1.0f : 0.0f);
}

static inline element squared(float p, float y, numbers c)
{
    (void)c;
    const float d = p - y;
    return (element){d * d, 2.0f * d, p};
}

double QS_RUNG(qs_loss_mean_squared_error)(const qs_loss_args *a)
{
    return fold(a, squared, (numbers){0}, mean_share(a));
}

static inline element absolute(float p, float y, numbers c)
{
    (void)c;
    return (element){qs_absf(p - y), sign_of(p - y), p};
}

double QS_RUNG(qs_loss_mean_absolute_error)(const qs_loss_args *a)
{
    return fold(a, absolute, (numbers){0}, mean_share(a));
}

static inline element percentage(float p, float y, numbers c)
{
    (void)c;
    const float size = qs_maxf(qs_absf(y), QS_SCORE_TINY);
    return (element){100.0f * qs_absf((y - p) / size), 100.0f * sign_of(p - y) / size, p};
}

double QS_RUNG(qs_loss_mean_absolute_percentage_error)(const qs_loss_args *a)
{
    return fold(a, percentage, (numbers){0}, mean_share(a));
}

static inline element logarithmic(float p, float y, numbers c)
{
    (void)c;
    const float from = 1.0f + qs_clipf(p, QS_SCORE_TINY, __builtin_inff());
    const float d = qs_logf(from) - qs_logf(1.0f + qs_maxf(y, QS_SCORE_TINY));
    return (element){d * d, p < QS_SCORE_TINY ? 0.0f : 2.0f * d / from, p};
}

double QS_RUNG(qs_loss_mean_squared_logarithmic_error)(const qs_loss_args *a)
{
    return fold(a, logarithmic, (numbers){0}, mean_share(a));
}

/* c.a: delta. */
static inline element huber(float p, float y, numbers c)
{
    const float d = p - y, size = qs_absf(d);
    const float near_loss = 0.5f * d * d, far_loss = c.a * size - 0.5f * c.a * c.a;
    return (element){size > c.a ? far_loss : near_loss, size > c.a ? c.a * sign_of(d) : d, p};
}

double QS_RUNG(qs_loss_huber)(const qs_loss_args *a)
{
    return fold(a, huber, (numbers){a->arg[0], 0}, mean_share(a));
}

static inline element log_cosh(float p, float y, numbers c)
{
    (void)c;
    const float d = p - y, size = qs_absf(d);
    return (element){size + qs_softplusf(-2.0f * size) - 0.693147182f, qs_tanhf(d), p};
}

double QS_RUNG(qs_loss_log_cosh)(const qs_loss_args *a)
{
    return fold(a, log_cosh, (numbers){0}, mean_share(a));
}

/* What turns labels 0 and 1 into -1 and 1 where they are such: y * a + b. */
static inline numbers signed_labels(const qs_loss_args *a)
{
    return a->zero_one ? (numbers){2.0f, -1.0f} : (numbers){1.0f, 0.0f};
}

static inline element hinge(float p, float y, numbers c)
{
    const float label = y * c.a + c.b, short_of = 1.0f - label * p;
    return (element){qs_clipf(short_of, 0.0f, __builtin_inff()), short_of < 0.0f ? 0.0f : -label,
                     p};
}

double QS_RUNG(qs_loss_hinge)(const qs_loss_args *a)
{
    return fold(a, hinge, signed_labels(a), mean_share(a));
}

static inline element squared_hinge(float p, float y, numbers c)
{
    const float label = y * c.a + c.b;
    const float short_of = qs_clipf(1.0f - label * p, 0.0f, __builtin_inff());
    return (element){short_of * short_of, -2.0f * label * short_of, p};
}

double QS_RUNG(qs_loss_squared_hinge)(const qs_loss_args *a)
{
    return fold(a, squared_hinge, signed_labels(a), mean_share(a));
}

static inline element poisson(float p, float y, numbers c)
{
    (void)c;
    const float rate = p + QS_SCORE_TINY;
    return (element){p - y * qs_logf(rate), 1.0f - y / rate, p};
}

double QS_RUNG(qs_loss_poisson)(const qs_loss_args *a)
{
    return fold(a, poisson, (numbers){0}, mean_share(a));
}

static inline element divergence(float p, float y, numbers c)
{
    (void)c;
    const float to = qs_clipf(y, QS_SCORE_TINY, 1.0f), from = qs_clipf(p, QS_SCORE_TINY, 1.0f);
    return (element){to * qs_logf(to / from), p == from ? -to / from : 0.0f, p};
}

double QS_RUNG(qs_loss_kl_divergence)(const qs_loss_args *a)
{
    return fold(a, divergence, (numbers){0}, 1.0f);
}

/* Label smoothing of two classes: y * a + b. */
static inline numbers smoothed(const qs_loss_args *a)
{
    return (numbers){1.0f - a->arg[1], 0.5f * a->arg[1]};
}

/* Clipped probabilities have no slope. */
static inline element binary(float p, float y, numbers c)
{
    const float label = y * c.a + c.b, q = qs_clipf(p, QS_SCORE_TINY, QS_SCORE_ALMOST_1);
    const float slope = (1.0f - label) / (1.0f - q) - label / q;
    return (element){-(label * qs_logf(q) + (1.0f - label) * qs_logf(1.0f - q)),
                     p == q ? slope : 0.0f, p};
}

double QS_RUNG(qs_loss_binary_crossentropy)(const qs_loss_args *a)
{
    return fold(a, binary, smoothed(a), mean_share(a));
}

static inline element binary_of_logit(float x, float y, numbers c)
{
    const float label = y * c.a + c.b, e = qs_expf(-qs_absf(x));
    const float prob = (x < 0.0f ? e : 1.0f) / (1.0f + e);
    return (element){(x > 0.0f ? x : 0.0f) - x * label + qs_log1pf(e), prob - label, prob};
}

double QS_RUNG(qs_loss_binary_crossentropy_logits)(const qs_loss_args *a)
{
    return fold(a, binary_of_logit, smoothed(a), mean_share(a));
}
