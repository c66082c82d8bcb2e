/* SPDX-License-Identifier: MIT */
/* rungs.h - what the tests of kernels share: every rung in turn, slices of numbers. */
#ifndef QS_TESTS_RUNGS_H
#define QS_TESTS_RUNGS_H

#include "base/rng.h"
#include "kernels/kernels.h"

#define EACH_RUNG(t) for (const qs_kernel_tables *const *t = qs_kernels_usable(); *t; t++)

/* A number of the stream `key`, evenly between low and high. */
static inline double between(uint64_t key, uint64_t i, double low, double high)
{
    return low + (high - low) * qs_uniform(key, i);
}

#endif
