/* SPDX-License-Identifier: MIT */
/* vec.h - the vector type of the instruction set that a file is being compiled for. Private.
 *
 * Every file in this folder is compiled once for each rung, with QS_RUNG(name) giving its names.
 */
#ifndef QS_KERNELS_VEC_VEC_H
#define QS_KERNELS_VEC_VEC_H

#include <stddef.h>

#if defined(__AVX512F__)
enum { VEC = 16, TILE_VECS = 4, TILE_SUMS = 24 }; /* 24 sums of 32 registers */
#elif defined(__AVX2__)
enum { VEC = 8, TILE_VECS = 2, TILE_SUMS = 12 };
#else
enum { VEC = 4, TILE_VECS = 2, TILE_SUMS = 12 };
#endif

typedef float vec __attribute__((vector_size(4 * VEC), aligned(4), may_alias));

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 24")

INLINE vec load(const float *p)
{
    return *(const vec *)p;
}

INLINE void store(float *p, vec x)
{
    *(vec *)p = x;
}

INLINE vec splat(float x)
{
    return x - (vec){0};
}

#endif
