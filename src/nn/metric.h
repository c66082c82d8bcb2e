/* SPDX-License-Identifier: MIT */
/* metric.h - what a metric is. Private. */
#ifndef QS_NN_METRIC_H
#define QS_NN_METRIC_H

#include "kernels/score.h"
#include "nn/spec.h"

typedef struct qs_metric_kind {
    qs_kind kind;
    qs_metric_fn add;
    double (*finish)(const double sum[2]); /* NULL: sum[0] / sum[1] */
    bool maximize;                         /* larger is better: for callbacks' "auto" mode */
} qs_metric_kind;

extern const qs_registry qs_metric_registry;

/* "accuracy" and "acc" are chosen by shape, as Keras does: one output: binary_accuracy; else
 * categorical. */
const qs_metric_kind *qs_metric_resolve(const qs_metric_kind *metric, size_t outputs);

#endif
