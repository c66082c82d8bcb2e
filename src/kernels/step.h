/* SPDX-License-Identifier: MIT */
/* step.h - what changes from step to step, as kernels see it: pointers and sizes. Private.
 *
 * The feeder fills `rows`, the trainer the rest, before the workers are let into the step.
 */
#ifndef QS_KERNELS_STEP_H
#define QS_KERNELS_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "quickstep/data.h"

/* One batch where it is stored: sample i is row index[i], or row i where index is NULL. Borrowed.
 */
typedef struct qs_rows {
    size_t n; /* samples */
    const uint32_t *index;
    const void *x; /* [rows, features] of x_type, C order */
    qs_dtype x_type;
    size_t features;
    const float *row_factor; /* [rows] multiplies a sample (l1, l2, max); NULL means 1 */
    const float *mul, *add; /* [affine] per feature: x * mul + add, before row_factor; NULL: none */
    size_t affine;          /* features, or 1 where all share one */
    const void *y;          /* [rows] classes of y_type or [rows, outputs] f32; NULL: no labels */
    qs_dtype y_type;
    size_t outputs;      /* 0: y holds classes */
    const float *weight; /* [rows] sample weights, NULL means 1 */
} qs_rows;

enum { QS_OPTIM_CONSTANTS = 16 };

typedef struct qs_step {
    qs_rows rows;
    bool training;
    bool zero_one; /* every label of the batch is 0 or 1; where a loss or metric wants to know */
    uint64_t key;  /* of the random numbers: seed, epoch and step mixed */
    const float *class_weight;       /* [classes]; NULL means 1 */
    float optim[QS_OPTIM_CONSTANTS]; /* what the optimizer's prepare() made for this step */
} qs_step;

#endif
