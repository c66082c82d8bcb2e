/* SPDX-License-Identifier: MIT */
/* program.h - the spine: what a training step is, once compiled. Private.
 *
 * graph (what the user said) -> program (what will run) -> trace (what ran). A program is a flat
 * list of calls in sections, the tensors they read and write, and where each lies. Call 17
 * here is call 17 for the executor, the cost model and every report. Nothing in it depends on a
 * device or on the number of samples: sizes are per sample, and a batch of any size up to the
 * largest runs the same calls.
 */
#ifndef QS_GRAPH_PROGRAM_H
#define QS_GRAPH_PROGRAM_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/fail.h"
#include "kernels/kernel.h"
#include "quickstep/train.h"

typedef enum qs_section { QS_PREPARE, QS_FORWARD, QS_BACKWARD, QS_UPDATE, QS_SECTIONS } qs_section;

/* What the program can be run for; a call says in which of them it takes part. */
typedef enum qs_mode { QS_TRAIN = 1, QS_EVALUATE = 2, QS_PREDICT = 4 } qs_mode;

typedef enum qs_space {
    QS_ACTIVATION, /* features x lanes, slice after slice */
    QS_PACKED,     /* as many floats, laid out over the whole batch: kernels get its start */
    QS_FIXED       /* floats that do not grow with the batch */
} qs_space;

typedef struct qs_tensor {
    qs_space space;
    size_t features;       /* floats per lane, or in all for QS_FIXED */
    size_t offset;         /* floats per lane (QS_FIXED: floats) before it */
    const float *constant; /* QS_FIXED: what it holds from the start; NULL: zeros */
    size_t constants;      /* how many */
} qs_tensor;

/* A trainable or moving weight of the model, in the order of the model's weights. */
typedef struct qs_param {
    int weight;  /* index in the model */
    bool matrix; /* blocked [rows, cols]; else a vector [cols] and rows is 1 */
    size_t rows, cols;
    size_t inner; /* of a vector: numbers for each of the weight's first axis; 1 where it has one */
    size_t offset; /* floats before it in the parameter, gradient and slot blocks */
    size_t floats; /* padded */
    bool trainable;
    bool kept; /* its gradient is written to memory, and a call of its own updates */
    float l1, l2;
    int constraint; /* of kernels/constraint.h */
    float constraint_arg[3];
} qs_param;

enum { QS_NO_TENSOR = -1, QS_NO_PARAM = -1 };

typedef struct qs_call {
    qs_op op;
    int layer; /* whose it is, -1: of the whole model */
    qs_section section;
    unsigned modes; /* qs_mode bits */
    bool fence;     /* must wait for all calls before it, on all threads */
    int in[QS_IN];  /* tensors; or parameters as qs_param_operand(), or QS_NO_TENSOR */
    int out[QS_OUT];
    int param, bias; /* parameters that it changes or is about, or QS_NO_PARAM */
    int32_t dim[QS_DIMS];
    float arg[QS_ARGS];
    size_t items; /* ITEM: how many, and how many floats of work one is */
    double item_cost;
    int sum, sums;       /* its first partial sum and how many, of the axis' sums */
    double flops, bytes; /* per sample for SLICE and matrix products, in all for the rest */
} qs_call;

/* A parameter as an operand. */
static inline int qs_param_operand(int param)
{
    return param == QS_NO_PARAM ? QS_NO_TENSOR : -2 - param;
}

static inline int qs_operand_param(int operand)
{
    return operand <= -2 ? -2 - operand : QS_NO_PARAM;
}

typedef struct qs_program {
    qs_arena arena; /* owns what follows */
    qs_call *call;
    size_t calls;
    qs_tensor *tensor;
    size_t tensors;
    qs_param *param;
    size_t params;
    size_t max_batch;
    size_t param_floats;              /* of one block: weights, gradients, each slot */
    size_t lane_floats, fixed_floats; /* of all tensors: per lane, and in all */
    int slots;                        /* of the optimizer */
    bool any_kept;                    /* a gradient block is needed */
    int optim;                        /* id in optims.def */
    float clip_value;                 /* 0: none */
    size_t features, outputs;         /* of a sample in and out */
    int output;                       /* tensor with the prediction */
    size_t slice_sums, item_sums;     /* partial sums of one slice, of all ITEM calls; the first of
                                          a slice is the loss with activity penalties, the first
                                          `penalties` of the items' are the weights' penalties */
    size_t penalties;
    int metrics, metric_sum[QS_MAX_METRICS]; /* where in slice_sums; two each */
    double train_flops, predict_flops;       /* matrix products of one sample */
} qs_program;

void qs_program_free(qs_program *program); /* NULL is fine */

#endif
