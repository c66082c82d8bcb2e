/* SPDX-License-Identifier: MIT */
/* dropout.h - which elements dropout keeps: a hash of step, tensor, feature and sample. Private. */
#ifndef QS_KERNELS_VEC_DROPOUT_H
#define QS_KERNELS_VEC_DROPOUT_H

#include "base/rng.h"
#include "kernels/kernel.h"

/* The key of a tensor's random numbers in this step. */
static inline uint32_t dropout_key(const qs_kernel_args *a, int32_t tensor)
{
    return (uint32_t)qs_key(a->step->key, (uint64_t)tensor, 0);
}

/* The counter of lane 0 of feature f: an element has the same number however the batch is cut. */
static inline uint32_t dropout_counter(const qs_kernel_args *a, size_t f)
{
    return (uint32_t)(f * qs_slice_first(a->slicing, a->slicing->slices) + a->first);
}

/* One feature: y = x / (1 - rate) where kept, else 0. y may be x. */
static inline void dropout_lanes(size_t lanes, uint32_t key, uint32_t counter, float rate,
                                 const float *x, float *y)
{
    const uint32_t from = (uint32_t)((double)rate * 0x1p32);
    const float scale = 1 / (1 - rate);
    for (size_t i = 0; i < lanes; i++)
        y[i] = qs_random32(key, counter + (uint32_t)i) >= from ? x[i] * scale : 0;
}

#endif
