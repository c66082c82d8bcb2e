/* SPDX-License-Identifier: MIT */
/* score.h - what the loss and metric kernels of one rung share. Private. */
#ifndef QS_KERNELS_VEC_SCORE_H
#define QS_KERNELS_VEC_SCORE_H

#include "kernels/score.h"

#define QS_LOSS(name) double QS_RUNG(qs_loss_##name)(const qs_loss_args *a);
#include "kernels/losses.def"
#undef QS_LOSS

#define QS_METRIC(name) void QS_RUNG(qs_metric_##name)(const qs_metric_args *a, double sum[2]);
#include "kernels/metrics.def"
#undef QS_METRIC

/* Keras' epsilon, and 1 minus it in float. */
#define QS_SCORE_TINY     1e-7f
#define QS_SCORE_ALMOST_1 0.99999988f

/* Sum of weight * value, in the order of the samples. What has no weight may be anything. */
static inline double qs_weighted_sum(const float *weight, const float *value, size_t lanes)
{
    double sum = 0;
    for (size_t i = 0; i < lanes; i++)
        sum += weight[i] != 0.0f ? (double)weight[i] * (double)value[i] : 0.0;
    return sum;
}

#endif
