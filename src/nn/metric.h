/* SPDX-License-Identifier: MIT */
/* metric.h - what a metric is. Private. */
#ifndef QS_NN_METRIC_H
#define QS_NN_METRIC_H

#include "kernels/score.h"
#include "nn/spec.h"

typedef struct qs_metric_kind {
    qs_kind kind;
    qs_metric_id add;
    double (*finish)(const double sum[2]); /* NULL: sum[0] / sum[1] */
    bool maximize;                         /* larger is better: for callbacks' "auto" mode */
    bool wants_zero_one;                   /* kernel looks at qs_metric_args.zero_one */
} qs_metric_kind;

extern const qs_registry qs_metric_registry;

/* "accuracy" and "acc" are chosen by shape, as Keras does: one output: binary_accuracy; else
 * categorical. */
const qs_metric_kind *qs_metric_resolve(const qs_metric_kind *metric, size_t outputs);

/* The value after all batches; 0 where nothing was counted. */
double qs_metric_value(const qs_metric_kind *metric, const double sum[2]);

#endif
