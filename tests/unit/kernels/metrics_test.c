/* SPDX-License-Identifier: MIT */
/* metrics_test.c - right and wrong, ties, and values of losses, on every rung. */
#include <criterion/criterion.h>
#include <math.h>

#include "rungs.h"

enum { LANES = 16, MOST = 4 };

typedef struct sample {
    float target[MOST], pred[MOST], weight;
} sample;

typedef struct setting {
    qs_metric_id id;
    size_t outputs;
    float arg;
    bool logits;
} setting;

static double value(const qs_kernel_tables *t, setting of, const sample *samples, size_t n)
{
    float pred[MOST * LANES] = {0}, target[MOST * LANES] = {0}, weight[LANES] = {0};
    float arg[QS_SCORE_ARGS] = {of.arg};
    for (size_t i = 0; i < n; i++) {
        weight[i] = samples[i].weight;
        for (size_t k = 0; k < of.outputs; k++) {
            pred[k * LANES + i] = samples[i].pred[k];
            target[k * LANES + i] = samples[i].target[k];
        }
    }
    double sum[2] = {0, 0};
    t->score->metric[of.id](&(qs_metric_args){.outputs = of.outputs,
                                              .lanes = LANES,
                                              .pred = pred,
                                              .logits = of.logits ? pred : NULL,
                                              .target = target,
                                              .weight = weight,
                                              .arg = arg},
                            sum);
    return sum[0] / sum[1];
}

Test(metrics, categorical_accuracy_takes_the_first_of_ties)
{
    static const sample s[] = {
        {{0, 1, 0}, {0.1f, 0.8f, 0.1f}, 1},
        {{0, 1, 0}, {0.4f, 0.4f, 0.2f}, 1}, /* a tie: says 0 */
        {{1, 0, 0}, {0.4f, 0.4f, 0.2f}, 1}, /* right by the same rule */
        {{0, 0, 1}, {0.5f, 0.1f, 0.4f}, 1},
    };
    EACH_RUNG(t)
    cr_expect_float_eq(value(*t, (setting){QS_METRIC_categorical_accuracy, 3, 0, false}, s, 4), 0.5,
                       1e-12);
}

Test(metrics, weights_count)
{
    static const sample s[] = {{{0, 1}, {0, 1}, 3}, {{0, 1}, {1, 0}, 1}};
    EACH_RUNG(t)
    cr_expect_float_eq(value(*t, (setting){QS_METRIC_categorical_accuracy, 2, 0, false}, s, 2),
                       0.75, 1e-12);
}

Test(metrics, binary_accuracy_is_above_the_threshold)
{
    static const sample s[] = {
        {{1}, {0.6f}, 1}, {{1}, {0.5f}, 1}, {{0}, {0.5f}, 1}, {{0}, {0.7f}, 1}};
    EACH_RUNG(t)
    {
        cr_expect_float_eq(value(*t, (setting){QS_METRIC_binary_accuracy, 1, 0.5f, false}, s, 4),
                           0.5, 1e-12);
        cr_expect_float_eq(value(*t, (setting){QS_METRIC_binary_accuracy, 1, 0.65f, false}, s, 4),
                           0.25, 1e-12);
    }
}

Test(metrics, binary_accuracy_of_several_outputs_is_their_share)
{
    static const sample s[] = {{{1, 0, 1, 0}, {0.9f, 0.8f, 0.7f, 0.1f}, 1}};
    EACH_RUNG(t)
    cr_expect_float_eq(value(*t, (setting){QS_METRIC_binary_accuracy, 4, 0.5f, false}, s, 1), 0.75,
                       1e-6);
}

/* What TensorFlow's in_top_k says: ties count for the true class, NaN and infinity against it. */
Test(metrics, top_k)
{
    static const sample s[] = {
        {{0, 1, 0}, {0.1f, 0.1f, 0.1f}, 1}, {{1, 0, 0}, {0.3f, 0.3f, 0.1f}, 1},
        {{1, 0, 0}, {NAN, 1, 2}, 1},        {{0, 0, 1}, {INFINITY, 1, 0.5f}, 1},
        {{0, 0, 1}, {3, 2, 1}, 1},
    };
    static const double right[] = {1, 1, 0, 0, 0};
    EACH_RUNG(t)
    for (size_t i = 0; i < sizeof s / sizeof *s; i++)
        cr_expect_float_eq(
            value(*t, (setting){QS_METRIC_top_k_categorical_accuracy, 3, 2, false}, &s[i], 1),
            right[i], 0, "sample %zu on %s", i, (*t)->name);
}

Test(metrics, means_of_errors)
{
    static const sample s[] = {{{1, 2}, {2, 4}, 1}, {{0, 0}, {0, 1}, 1}};
    EACH_RUNG(t)
    {
        cr_expect_float_eq(value(*t, (setting){QS_METRIC_mean_absolute_error, 2, 0, false}, s, 2),
                           1, 1e-6);
        cr_expect_float_eq(value(*t, (setting){QS_METRIC_mean_squared_error, 2, 0, false}, s, 2),
                           1.5, 1e-6);
    }
}

Test(metrics, cosine_similarity_is_plus)
{
    static const sample s[] = {{{1, 0}, {2, 0}, 1}, {{1, 0}, {0, 3}, 1}};
    EACH_RUNG(t)
    cr_expect_float_eq(value(*t, (setting){QS_METRIC_cosine_similarity, 2, 0, false}, s, 2), 0.5,
                       1e-6);
}

/* Keras gave 140 for these logits, where clipped probabilities would give 16. */
Test(metrics, crossentropy_goes_back_to_the_logits)
{
    static const sample s[] = {
        {{0, 1, 0}, {80, -80, 0}, 3},
        {{0, 0, 1}, {80, -80, 0}, 1},
    };
    EACH_RUNG(t)
    {
        cr_expect_float_eq(
            value(*t, (setting){QS_METRIC_categorical_crossentropy, 3, 0, true}, s, 2), 140, 1e-4);
        cr_expect_float_eq(
            value(*t, (setting){QS_METRIC_sparse_categorical_crossentropy, 3, 1, false}, s, 2), 140,
            1e-4, "from_logits");
    }
}

Test(metrics, binary_crossentropy_of_probabilities_is_clipped)
{
    static const sample s[] = {{{0}, {1}, 1}};
    EACH_RUNG(t)
    cr_expect_float_eq(value(*t, (setting){QS_METRIC_binary_crossentropy, 1, 0, false}, s, 1),
                       15.9423847, 1e-5);
}
