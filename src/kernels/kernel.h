/* SPDX-License-Identifier: MIT */
/* kernel.h - what a kernel is told: pointers and sizes, nothing else. Private. */
#ifndef QS_KERNELS_KERNEL_H
#define QS_KERNELS_KERNEL_H

#include <stdint.h>

#include "kernels/layout.h"
#include "kernels/optim.h"
#include "kernels/step.h"

typedef enum qs_axis { QS_AXIS_SLICE, QS_AXIS_ITEM } qs_axis;

typedef enum qs_op {
#define QS_OP(name, axis) QS_OP_##name,
#include "kernels/ops.def"
#undef QS_OP
    QS_OPS
} qs_op;

enum { QS_IN = 6, QS_OUT = 2, QS_DIMS = 8, QS_ARGS = 8 };

struct qs_kernel_tables;

/* The parameter that an update, penalty or constraint is about. Pointers to its first float. */
typedef struct qs_param_args {
    bool matrix; /* blocked [rows, cols]; else a vector [cols], padded to 16, and rows is 1 */
    size_t rows, cols;
    float *weight, *grad; /* grad NULL: the update follows at once, nothing is kept */
    float *slot[QS_OPTIM_SLOTS];
    int optim;        /* id in optims.def */
    float l1, l2;     /* of its regularizer */
    float clip_value; /* 0: none */
} qs_param_args;

typedef struct qs_kernel_args {
    const float *in[QS_IN]; /* SLICE: the slice's part of activations; ITEM: their start */
    float *out[QS_OUT];
    const int32_t *dim; /* meaning by op, see graph/ops */
    const float *arg;
    const qs_step *step;
    const qs_slicing *slicing;
    size_t slice, lanes, valid, first; /* SLICE: which, its lanes, real samples, first lane */
    size_t item, items;                /* ITEM: [item, item + items) */
    const qs_param_args *param, *bias; /* of ops that change or read parameters; NULL */
    double *sum;                       /* partial sums of this slice or item */
    const struct qs_kernel_tables *tables;
} qs_kernel_args;

typedef void (*qs_kernel)(const qs_kernel_args *args);

#endif
