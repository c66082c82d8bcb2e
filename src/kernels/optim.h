/* SPDX-License-Identifier: MIT */
/* optim.h - one update of a run of weights, as a kernel. Private. */
#ifndef QS_KERNELS_OPTIM_H
#define QS_KERNELS_OPTIM_H

#include <stddef.h>

enum { QS_OPTIM_SLOTS = 4 };

/* n weights (a multiple of 16), their gradient and the optimizer's slots, all the same layout, not
 * overlapping; c is qs_step.optim. Branch-free over elements, so that it vectorises; called on rows
 * of 16 to 48 weights while the gradient is still in L1. Zero gradient, weight and slots (padding)
 * must stay finite. */
typedef void (*qs_update_fn)(size_t n, const float *g, float *w, float *const *slot,
                             const float *c);

typedef enum qs_optim_id {
#define QS_OPTIM(name) QS_OPTIM_##name,
#include "kernels/optims.def"
#undef QS_OPTIM
    QS_OPTIMS
} qs_optim_id;

/* What the constants are: KEEP = 1 - rate * weight decay comes first for all, it multiplies the
 * weight before the update. "less" is 1 minus that number. */
enum { QS_C_KEEP, QS_C_RATE };
enum { QS_C_MOMENTUM = 2 };                                                /* sgd */
enum { QS_C_RHO = 2, QS_C_LESS_RHO, QS_C_EPSILON, QS_C_RMSPROP_MOMENTUM }; /* rmsprop, adadelta */
enum { QS_C_ADAGRAD_EPSILON = 2 };                                         /* adagrad */
enum { QS_C_LESS_BETA_1 = 2, QS_C_LESS_BETA_2, QS_C_ADAM_EPSILON };        /* adam, nadam */
enum { QS_C_BETA_2 = 3 };                                                  /* adamax */
enum { QS_C_OF_M = 5, QS_C_OF_G, QS_C_CORRECT_V };                         /* nadam */
enum { QS_C_LION_BETA_1 = 2, QS_C_LION_LESS_1, QS_C_LION_BETA_2, QS_C_LION_LESS_2 }; /* lion */
enum { QS_C_PER_RATE = 2, QS_C_L1, QS_C_TWICE_L2, QS_C_TWICE_SHRINK };               /* ftrl */

#endif
