/* SPDX-License-Identifier: MIT */
/* losses_test.c - every loss on every rung: value against its formula in double, gradient against
 * finite differences of that formula. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "rungs.h"

enum { OUTPUTS = 5, LANES = 32, SAMPLES = 27 };

/* Loss of one sample: y target, p what the network gave, arg the loss's arguments. */
typedef double (*formula)(const double *y, const double *p, const float *arg);

static double clip(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static double clip_prob(double p)
{
    return clip(p, 1e-7, 1 - 1e-7);
}

#define MEAN(name, term)                                                                           \
    static double name(const double *ys, const double *ps, const float *arg)                       \
    {                                                                                              \
        double sum = 0;                                                                            \
        (void)arg;                                                                                 \
        for (int k = 0; k < OUTPUTS; k++) {                                                        \
            const double y = ys[k], p = ps[k];                                                     \
            sum += (term);                                                                         \
        }                                                                                          \
        return sum / OUTPUTS;                                                                      \
    }

MEAN(squared, (p - y) * (p - y))
MEAN(absolute, fabs(p - y))
MEAN(percentage, 100 * fabs(y - p) / fmax(fabs(y), 1e-7))
MEAN(logarithmic, pow(log(fmax(p, 1e-7) + 1) - log(fmax(y, 1e-7) + 1), 2))
MEAN(huber, fabs(p - y) <= (double)arg[0]
                ? 0.5 * (p - y) * (p - y)
                : (double)arg[0] * fabs(p - y) - 0.5 * pow((double)arg[0], 2))
MEAN(log_cosh, log(cosh(p - y)))
MEAN(hinge, fmax(1 - y * p, 0))
MEAN(squared_hinge, pow(fmax(1 - y * p, 0), 2))
MEAN(hinge_zero_one, fmax(1 - (2 * y - 1) * p, 0))
MEAN(squared_hinge_zero_one, pow(fmax(1 - (2 * y - 1) * p, 0), 2))
MEAN(poisson, p - y * log(p + 1e-7))
MEAN(divergence, OUTPUTS *clip(y, 1e-7, 1) * log(clip(y, 1e-7, 1) / clip(p, 1e-7, 1)))
#define LABEL_2 (y * (1 - (double)arg[1]) + 0.5 * (double)arg[1])
MEAN(binary, -(LABEL_2 *log(clip_prob(p)) + (1 - LABEL_2) * log(1 - clip_prob(p))))
MEAN(binary_logits, log1p(exp(-fabs(p))) + fmax(p, 0) - p * LABEL_2)

static double smoothed(double y, double fraction)
{
    return y * (1 - fraction) + fraction / OUTPUTS;
}

static double sum_of(const double *x)
{
    double sum = 0;
    for (int k = 0; k < OUTPUTS; k++)
        sum += x[k];
    return sum;
}

static double categorical(const double *y, const double *p, const float *arg)
{
    double loss = 0;
    for (int k = 0; k < OUTPUTS; k++)
        loss -= smoothed(y[k], (double)arg[1]) * log(clip_prob(p[k] / sum_of(p)));
    return loss;
}

static double softmax_of(const double *y, const double *x, double smoothing)
{
    double all = 0, loss = 0;
    for (int k = 0; k < OUTPUTS; k++)
        all += exp(x[k]);
    for (int k = 0; k < OUTPUTS; k++)
        loss -= smoothed(y[k], smoothing) * (x[k] - log(all));
    return loss;
}

static double categorical_logits(const double *y, const double *x, const float *arg)
{
    return softmax_of(y, x, (double)arg[1]);
}

static double sparse_logits(const double *y, const double *x, const float *arg)
{
    (void)arg;
    return softmax_of(y, x, 0);
}

static double sparse(const double *y, const double *p, const float *arg)
{
    double logits[OUTPUTS];
    for (int k = 0; k < OUTPUTS; k++)
        logits[k] = log(clip_prob(p[k]));
    return sparse_logits(y, logits, arg);
}

static double categorical_hinge(const double *y, const double *p, const float *arg)
{
    double right = 0, wrong = -INFINITY;
    (void)arg;
    for (int k = 0; k < OUTPUTS; k++) {
        right += y[k] * p[k];
        wrong = fmax(wrong, (1 - y[k]) * p[k]);
    }
    return fmax(wrong - right + 1, 0);
}

static double cosine(const double *y, const double *p, const float *arg)
{
    double dot = 0, yy = 0, pp = 0;
    (void)arg;
    for (int k = 0; k < OUTPUTS; k++) {
        dot += y[k] * p[k];
        yy += y[k] * y[k];
        pp += p[k] * p[k];
    }
    return -dot / (fmax(sqrt(yy), 1e-7) * fmax(sqrt(pp), 1e-7));
}

typedef enum labels { ANY, POSITIVE, ONE_HOT, BITS, SIGNS } labels;

static const struct loss_case {
    const char *name;
    qs_loss_id id;
    formula of;
    labels labels;
    double low, high; /* of what the network gives */
    float arg[2];
} cases[] = {
    {"mean_squared_error", QS_LOSS_mean_squared_error, squared, ANY, -2, 2, {0}},
    {"mean_absolute_error", QS_LOSS_mean_absolute_error, absolute, ANY, -2, 2, {0}},
    {"percentage", QS_LOSS_mean_absolute_percentage_error, percentage, POSITIVE, -2, 2, {0}},
    {"logarithmic", QS_LOSS_mean_squared_logarithmic_error, logarithmic, POSITIVE, -1, 3, {0}},
    {"huber", QS_LOSS_huber, huber, ANY, -2, 2, {1, 0}},
    {"huber 0.3", QS_LOSS_huber, huber, ANY, -2, 2, {0.3f, 0}},
    {"log_cosh", QS_LOSS_log_cosh, log_cosh, ANY, -20, 20, {0}},
    {"hinge", QS_LOSS_hinge, hinge, SIGNS, -2, 2, {0}},
    {"hinge of bits", QS_LOSS_hinge, hinge_zero_one, BITS, -2, 2, {0}},
    {"squared_hinge", QS_LOSS_squared_hinge, squared_hinge, SIGNS, -2, 2, {0}},
    {"squared_hinge of bits", QS_LOSS_squared_hinge, squared_hinge_zero_one, BITS, -2, 2, {0}},
    {"categorical_hinge", QS_LOSS_categorical_hinge, categorical_hinge, ONE_HOT, -2, 2, {0}},
    {"poisson", QS_LOSS_poisson, poisson, POSITIVE, 0.1, 3, {0}},
    {"kl_divergence", QS_LOSS_kl_divergence, divergence, POSITIVE, 0.05, 0.9, {0}},
    {"cosine_similarity", QS_LOSS_cosine_similarity, cosine, ANY, -2, 2, {0}},
    {"binary", QS_LOSS_binary_crossentropy, binary, BITS, 0.02, 0.98, {0}},
    {"binary smoothed", QS_LOSS_binary_crossentropy, binary, BITS, 0.02, 0.98, {0, 0.2f}},
    {"binary logits", QS_LOSS_binary_crossentropy_logits, binary_logits, BITS, -30, 30, {0}},
    {"binary logits smoothed",
     QS_LOSS_binary_crossentropy_logits,
     binary_logits,
     BITS,
     -5,
     5,
     {0, 0.2f}},
    {"categorical", QS_LOSS_categorical_crossentropy, categorical, ONE_HOT, 0.02, 1, {0}},
    {"categorical smoothed",
     QS_LOSS_categorical_crossentropy,
     categorical,
     ONE_HOT,
     0.02,
     1,
     {0, 0.2f}},
    {"categorical logits",
     QS_LOSS_categorical_crossentropy_logits,
     categorical_logits,
     ONE_HOT,
     -30,
     30,
     {0}},
    {"categorical logits smoothed",
     QS_LOSS_categorical_crossentropy_logits,
     categorical_logits,
     ONE_HOT,
     -5,
     5,
     {0, 0.3f}},
    {"sparse", QS_LOSS_sparse_categorical_crossentropy, sparse, ONE_HOT, 0.02, 1, {0}},
    {"sparse logits",
     QS_LOSS_sparse_categorical_crossentropy_logits,
     sparse_logits,
     ONE_HOT,
     -30,
     30,
     {0}},
};

typedef struct slice {
    float pred[OUTPUTS * LANES], target[OUTPUTS * LANES], weight[LANES];
    float grad[OUTPUTS * LANES], prob[OUTPUTS * LANES];
} slice;

static float label(labels of, uint64_t i, int k)
{
    const double u = between(11, i * OUTPUTS + (uint64_t)k, 0, 1);
    switch (of) {
    case ANY:
        return (float)(4 * u - 2);
    case POSITIVE:
        return (float)(0.05 + 0.9 * u);
    case ONE_HOT:
        return (int)(i % OUTPUTS) == k ? 1 : 0;
    case BITS:
        return u > 0.5 ? 1 : 0;
    case SIGNS:
        break;
    }
    return u > 0.5 ? 1 : -1;
}

/* The last lanes are padding: weight 0, and numbers that must not matter. */
static void fill(slice *s, const struct loss_case *of)
{
    for (size_t i = 0; i < LANES; i++) {
        const bool real = i < SAMPLES;
        s->weight[i] = real ? (float)between(3, i, 0.5, 2) : 0;
        for (int k = 0; k < OUTPUTS; k++) {
            const size_t at = (size_t)k * LANES + i;
            s->pred[at] = real ? (float)between(5, at, of->low, of->high) : -0.0f;
            s->target[at] = real ? label(of->labels, i, k) : 0;
        }
    }
}

static void sample(const slice *s, size_t i, double *y, double *p)
{
    for (int k = 0; k < OUTPUTS; k++) {
        y[k] = (double)s->target[(size_t)k * LANES + i];
        p[k] = (double)s->pred[(size_t)k * LANES + i];
    }
}

static double run(const qs_kernel_tables *t, const struct loss_case *of, slice *s)
{
    float arg[QS_SCORE_ARGS] = {of->arg[0], of->arg[1]};
    return t->score->loss[of->id](&(qs_loss_args){.outputs = OUTPUTS,
                                                  .lanes = LANES,
                                                  .pred = s->pred,
                                                  .target = s->target,
                                                  .weight = s->weight,
                                                  .scale = 1.0f / SAMPLES,
                                                  .zero_one = of->labels == BITS,
                                                  .arg = arg,
                                                  .prob = s->prob,
                                                  .grad = s->grad});
}

static double slope(const struct loss_case *of, const double *y, const double *p, int k)
{
    double up[OUTPUTS], down[OUTPUTS];
    const double h = 1e-6;
    memcpy(up, p, sizeof up);
    memcpy(down, p, sizeof down);
    up[k] += h;
    down[k] -= h;
    return (of->of(y, up, of->arg) - of->of(y, down, of->arg)) / (2 * h);
}

Test(losses, values_are_those_of_the_formulas)
{
    EACH_RUNG(t)
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        static slice s;
        double want = 0, y[OUTPUTS], p[OUTPUTS];
        fill(&s, &cases[c]);
        for (size_t i = 0; i < SAMPLES; i++) {
            sample(&s, i, y, p);
            want += (double)s.weight[i] * cases[c].of(y, p, cases[c].arg);
        }
        const double got = run(*t, &cases[c], &s);
        cr_expect(fabs(got - want) <= 2e-6 * fmax(1, fabs(want)), "%s on %s: %.9g, not %.9g",
                  cases[c].name, (*t)->name, got, want);
    }
}

Test(losses, gradients_are_finite_differences)
{
    EACH_RUNG(t)
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        static slice s;
        double y[OUTPUTS], p[OUTPUTS];
        fill(&s, &cases[c]);
        run(*t, &cases[c], &s);
        for (size_t i = 0; i < SAMPLES; i++)
            for (int k = 0; k < OUTPUTS; k++) {
                sample(&s, i, y, p);
                const double got = (double)s.grad[(size_t)k * LANES + i];
                const double want =
                    slope(&cases[c], y, p, k) * (double)s.weight[i] / (double)SAMPLES;
                cr_expect(fabs(got - want) <= 2e-6 + 1e-5 * fabs(want),
                          "%s on %s: slope %d of sample %zu is %.9g, not %.9g", cases[c].name,
                          (*t)->name, k, i, got, want);
            }
    }
}

Test(losses, padding_is_nothing)
{
    EACH_RUNG(t)
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        static slice s;
        fill(&s, &cases[c]);
        cr_expect(isfinite(run(*t, &cases[c], &s)), "%s on %s", cases[c].name, (*t)->name);
        for (int k = 0; k < OUTPUTS; k++)
            for (size_t i = SAMPLES; i < LANES; i++)
                cr_expect_eq(s.grad[(size_t)k * LANES + i], 0, "%s on %s has a slope in padding",
                             cases[c].name, (*t)->name);
    }
}

static double value_of_one(const qs_kernel_tables *t, qs_loss_id id, const float *y, const float *p,
                           size_t outputs, float *grad)
{
    float pred[3 * 16] = {0}, target[3 * 16] = {0}, slopes[3 * 16], prob[3 * 16];
    float weight[16] = {1}, arg[QS_SCORE_ARGS] = {0};
    for (size_t k = 0; k < outputs; k++) {
        pred[k * 16] = p[k];
        target[k * 16] = y[k];
    }
    const double loss = t->score->loss[id](&(qs_loss_args){.outputs = outputs,
                                                           .lanes = 16,
                                                           .pred = pred,
                                                           .target = target,
                                                           .weight = weight,
                                                           .scale = 1,
                                                           .arg = arg,
                                                           .prob = prob,
                                                           .grad = slopes});
    for (size_t k = 0; k < outputs; k++)
        grad[k] = slopes[k * 16];
    return loss;
}

/* Values and slopes that Keras 3.15.1 on TensorFlow 2.21 gives at kinks, bounds and far out. */
static const struct edge {
    const char *what;
    qs_loss_id id;
    size_t outputs;
    float y[3], p[3];
    double loss;
    float grad[3];
} edges[] = {
    {"logits of 40: nothing is clipped",
     QS_LOSS_categorical_crossentropy_logits,
     3,
     {0, 1, 0},
     {80, -80, 0},
     160,
     {1, -1, 0}},
    {"probability 0 is clipped to 1e-7",
     QS_LOSS_categorical_crossentropy,
     2,
     {0, 1},
     {1, 0},
     16.1180957,
     {0, 0}},
    {"binary probability 1 is clipped", QS_LOSS_binary_crossentropy, 1, {0}, {1}, 15.9423847, {0}},
    {"binary logit of 80", QS_LOSS_binary_crossentropy_logits, 1, {0}, {80}, 80, {1}},
    {"hinge at its kink has a slope", QS_LOSS_hinge, 1, {1}, {1}, 0, {-1}},
    {"no error has no slope", QS_LOSS_mean_absolute_error, 1, {1}, {1}, 0, {0}},
    {"wrong outputs that tie share the slope",
     QS_LOSS_categorical_hinge,
     3,
     {1, 0, 0},
     {0.5f, 0.5f, 0.5f},
     1,
     {-1, 0.5f, 0.5f}},
    {"cosine of nothing", QS_LOSS_cosine_similarity, 3, {1, 0, 0}, {0, 0, 0}, 0, {-1e7f, 0, 0}},
    {"divergence at the lower bound", QS_LOSS_kl_divergence, 1, {0.25f}, {1e-7f}, 3.683, {-2.5e6f}},
};

Test(losses, kinks_and_bounds_are_keras)
{
    EACH_RUNG(t)
    for (size_t c = 0; c < sizeof edges / sizeof *edges; c++) {
        const struct edge *e = &edges[c];
        float grad[3];
        const double loss = value_of_one(*t, e->id, e->y, e->p, e->outputs, grad);
        cr_expect(fabs(loss - e->loss) <= 1e-4 * fmax(1, fabs(e->loss)), "%s on %s: %g, not %g",
                  e->what, (*t)->name, loss, e->loss);
        for (size_t k = 0; k < e->outputs; k++)
            cr_expect(fabsf(grad[k] - e->grad[k]) <= 1e-5f * fmaxf(1, fabsf(e->grad[k])),
                      "%s on %s: slope %zu is %g, not %g", e->what, (*t)->name, k, (double)grad[k],
                      (double)e->grad[k]);
    }
}

Test(losses, probabilities_come_with_the_logits)
{
    EACH_RUNG(t)
    {
        static slice s;
        const struct loss_case of = {
            "", QS_LOSS_categorical_crossentropy_logits, NULL, ONE_HOT, -3, 3, {0}};
        fill(&s, &of);
        run(*t, &of, &s);
        for (size_t i = 0; i < SAMPLES; i++) {
            double all = 0;
            for (int k = 0; k < OUTPUTS; k++)
                all += exp((double)s.pred[(size_t)k * LANES + i]);
            for (int k = 0; k < OUTPUTS; k++) {
                const size_t at = (size_t)k * LANES + i;
                cr_assert_float_eq(s.prob[at], exp((double)s.pred[at]) / all, 1e-6);
            }
        }
    }
}
