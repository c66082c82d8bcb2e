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

#endif
