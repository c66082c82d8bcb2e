/* SPDX-License-Identifier: MIT */
/* kernels.h - the rungs: the same kernels compiled for several instruction sets. Private.
 *
 * Every file of kernels/vec is compiled once per rung, with QS_RUNG(name) giving its functions names
 * of their own. `vec` needs nothing special and runs anywhere.
 */
#ifndef QS_KERNELS_KERNELS_H
#define QS_KERNELS_KERNELS_H

#include "kernels/kernel.h"
#include "kernels/optim.h"
#include "kernels/score.h"

typedef struct qs_score_kernels {
    qs_loss_fn loss[QS_LOSSES];
    qs_metric_fn metric[QS_METRICS];
} qs_score_kernels;

typedef struct qs_optim_kernels {
    qs_update_fn update[QS_OPTIMS];
} qs_optim_kernels;

typedef struct qs_kernel_tables {
    const char *name; /* "avx512", "avx2", "vec" */
    const qs_score_kernels *score;
    const qs_optim_kernels *optim;
    const qs_kernel *op;           /* [QS_OPS] */
    double (*peak)(size_t rounds); /* multiply-adds in registers; returns how many flops */
} qs_kernel_tables;

/* The rung that QUICKSTEP_IMPL names if this processor can run it, else the best one it can. */
const qs_kernel_tables *qs_kernels_best(void);

/* All rungs that this processor can run, best first; ends with NULL. */
const qs_kernel_tables *const *qs_kernels_usable(void);

#endif
