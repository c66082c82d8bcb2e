/* SPDX-License-Identifier: MIT */
/* metrics.c - metrics: right or wrong, and the values of losses. */
#include "kernels/math.h"
#include "kernels/vec/score.h"

/* One weight per sample. */
static void add(const qs_metric_args *a, const float *value, double sum[2])
{
    sum[0] += qs_weighted_sum(a->weight, value, a->lanes);
    for (size_t i = 0; i < a->lanes; i++)
        sum[1] += (double)a->weight[i];
}

/* Share of the outputs on the right side of the threshold arg[0]. */
void QS_RUNG(qs_metric_binary_accuracy)(const qs_metric_args *a, double sum[2])
{
    float right[QS_SCORE_LANES] = {0};
    const float threshold = a->arg[0], share = 1.0f / (float)a->outputs;
    for (size_t k = 0; k < a->outputs; k++) {
        const float *restrict p = a->pred + k * a->lanes, *restrict y = a->target + k * a->lanes;
        for (size_t i = 0; i < a->lanes; i++)
            right[i] += (p[i] > threshold ? 1.0f : 0.0f) == y[i] ? share : 0.0f;
    }
    add(a, right, sum);
}

/* The first output that is largest. */
static void arg_max(const float *from, size_t outputs, size_t lanes, float *at)
{
    float top[QS_SCORE_LANES];
    for (size_t i = 0; i < lanes; i++) {
        top[i] = from[i];
        at[i] = 0.0f;
    }
    for (size_t k = 1; k < outputs; k++) {
        const float *restrict x = from + k * lanes;
        for (size_t i = 0; i < lanes; i++) {
            at[i] = x[i] > top[i] ? (float)k : at[i];
            top[i] = x[i] > top[i] ? x[i] : top[i];
        }
    }
}

void QS_RUNG(qs_metric_categorical_accuracy)(const qs_metric_args *a, double sum[2])
{
    float said[QS_SCORE_LANES], is[QS_SCORE_LANES], right[QS_SCORE_LANES];
    arg_max(a->pred, a->outputs, a->lanes, said);
    arg_max(a->target, a->outputs, a->lanes, is);
    for (size_t i = 0; i < a->lanes; i++)
        right[i] = said[i] == is[i] ? 1.0f : 0.0f;
    add(a, right, sum);
}

/* What the network gave for the true class. */
static void pred_of_class(const qs_metric_args *a, const float *class, float *pred)
{
    for (size_t i = 0; i < a->lanes; i++)
        pred[i] = 0.0f;
    for (size_t k = 0; k < a->outputs; k++)
        for (size_t i = 0; i < a->lanes; i++)
            pred[i] = class[i] == (float)k ? a->pred[k * a->lanes + i] : pred[i];
}

/* Fewer than arg[0] outputs are larger than the true one's; ties count for it. An output that is not
 * finite makes the sample wrong. */
void QS_RUNG(qs_metric_top_k_categorical_accuracy)(const qs_metric_args *a, double sum[2])
{
    float is[QS_SCORE_LANES], own[QS_SCORE_LANES], above[QS_SCORE_LANES] = {0};
    arg_max(a->target, a->outputs, a->lanes, is);
    pred_of_class(a, is, own);
    const float too_many = (float)a->outputs;
    for (size_t k = 0; k < a->outputs; k++) {
        const float *restrict p = a->pred + k * a->lanes;
        for (size_t i = 0; i < a->lanes; i++) {
            const bool finite = qs_absf(p[i]) < __builtin_inff();
            above[i] += finite ? (p[i] > own[i] ? 1.0f : 0.0f) : too_many + a->arg[0];
        }
    }
    for (size_t i = 0; i < a->lanes; i++)
        above[i] = above[i] < a->arg[0] ? 1.0f : 0.0f;
    add(a, above, sum);
}

/* The value of a loss, without its gradient. */
static void add_loss(const qs_metric_args *a, qs_loss_fn loss, const float *pred, double sign,
                     double sum[2])
{
    const qs_loss_args args = {.outputs = a->outputs,
                               .lanes = a->lanes,
                               .pred = pred,
                               .target = a->target,
                               .weight = a->weight,
                               .zero_one = a->zero_one,
                               .arg = a->arg};
    sum[0] += sign * loss(&args);
    for (size_t i = 0; i < a->lanes; i++)
        sum[1] += (double)a->weight[i];
}

#define OF_LOSS(name, sign)                                                                        \
    void QS_RUNG(qs_metric_##name)(const qs_metric_args *a, double sum[2])                         \
    {                                                                                              \
        add_loss(a, QS_RUNG(qs_loss_##name), a->pred, sign, sum);                                  \
    }
OF_LOSS(mean_squared_error, 1)
OF_LOSS(mean_absolute_error, 1)
OF_LOSS(mean_absolute_percentage_error, 1)
OF_LOSS(mean_squared_logarithmic_error, 1)
OF_LOSS(log_cosh, 1)
OF_LOSS(hinge, 1)
OF_LOSS(squared_hinge, 1)
OF_LOSS(categorical_hinge, 1)
OF_LOSS(poisson, 1)
OF_LOSS(kl_divergence, 1)
OF_LOSS(cosine_similarity, -1)

/* arg[0]: from_logits. Like the losses, these go back to the logits of a last softmax or sigmoid. */
#define OF_CROSSENTROPY(name)                                                                      \
    void QS_RUNG(qs_metric_##name)(const qs_metric_args *a, double sum[2])                         \
    {                                                                                              \
        if (a->logits || a->arg[0] != 0.0f)                                                        \
            add_loss(a, QS_RUNG(qs_loss_##name##_logits), a->logits ? a->logits : a->pred, 1,      \
                     sum);                                                                         \
        else                                                                                       \
            add_loss(a, QS_RUNG(qs_loss_##name), a->pred, 1, sum);                                 \
    }
OF_CROSSENTROPY(categorical_crossentropy)
OF_CROSSENTROPY(sparse_categorical_crossentropy)
OF_CROSSENTROPY(binary_crossentropy)
