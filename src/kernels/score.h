/* SPDX-License-Identifier: MIT */
/* score.h - losses and metrics as kernels: one slice of the batch against its targets. Private.
 *
 * The batch is the vector dimension: element (k, i) of output k and sample i is at [k * lanes + i].
 * Loops over i have a count that is a multiple of 16 and no branches, so that compilers vectorise
 * them; padding samples have weight 0 and must neither be counted nor make a NaN.
 */
#ifndef QS_KERNELS_SCORE_H
#define QS_KERNELS_SCORE_H

#include <stdbool.h>
#include <stddef.h>

enum { QS_SCORE_LANES = 64, QS_SCORE_ARGS = 8 };

typedef struct qs_loss_args {
    size_t outputs,
        lanes;         /* lanes: samples of this slice, padded to a multiple of 16, at most 64 */
    const float *pred; /* [outputs, lanes] what the network gave: probabilities, values or logits */
    const float *target; /* [outputs, lanes] one-hot where labels are classes */
    const float *weight; /* [lanes] sample weight times class weight; 0 for padding */
    float scale;         /* 1 / samples of the batch */
    bool zero_one;       /* every label of the whole batch is 0 or 1: hinges make them -1 and 1 */
    const float *arg;    /* [QS_SCORE_ARGS] as qs_score_args() fills it */
    float *prob;         /* [outputs, lanes] logits forms: softmax or sigmoid of pred; or NULL */
    float *grad;         /* [outputs, lanes] d(loss of the batch) / d pred; NULL: not wanted */
} qs_loss_args;

/* Returns the sum over samples of weight * loss, summed in double, in the order of the samples. */
typedef double (*qs_loss_fn)(const qs_loss_args *args);

typedef struct qs_metric_args {
    size_t outputs, lanes;
    const float *pred;   /* [outputs, lanes] after softmax or sigmoid */
    const float *logits; /* [outputs, lanes] what that softmax or sigmoid was given; NULL: pred
                            comes from neither */
    const float *target; /* [outputs, lanes] */
    const float *weight; /* [lanes] 1 (or the sample weight for weighted metrics); 0 for padding */
    bool zero_one;       /* as in qs_loss_args */
    const float *arg;    /* [QS_SCORE_ARGS] as qs_score_args() fills it */
} qs_metric_args;

/* Adds to sum[0] the sum of weight * value and to sum[1] the sum of weights. */
typedef void (*qs_metric_fn)(const qs_metric_args *args, double sum[2]);

/* Kernels by name: QS_LOSS_huber, QS_METRIC_binary_accuracy; NONE where there is none. */
typedef enum qs_loss_id {
    QS_LOSS_NONE = -1,
#define QS_LOSS(name) QS_LOSS_##name,
#include "kernels/losses.def"
#undef QS_LOSS
    QS_LOSSES
} qs_loss_id;

typedef enum qs_metric_id {
    QS_METRIC_NONE = -1,
#define QS_METRIC(name) QS_METRIC_##name,
#include "kernels/metrics.def"
#undef QS_METRIC
    QS_METRICS
} qs_metric_id;

#endif
