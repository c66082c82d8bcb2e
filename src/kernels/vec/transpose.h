/* SPDX-License-Identifier: MIT */
/* transpose.h - VEC x VEC floats in registers. Private. */
#ifndef QS_KERNELS_VEC_TRANSPOSE_H
#define QS_KERNELS_VEC_TRANSPOSE_H

#include "kernels/vec/vec.h"

#if defined(__AVX512F__)
#define LOW(a, b)                                                                                  \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH(a, b)                                                                                 \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#elif defined(__AVX2__)
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#else
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#endif

/* log2(VEC) rounds of interleaving row i with row i + VEC/2: each rotates the bits of an element's
 * place by one, and VEC x VEC elements are transposed after half a turn. */
INLINE void transpose(vec r[VEC])
{
    UNROLL for (int round = VEC; round > 1; round /= 2)
    {
        vec t[VEC];
        UNROLL for (int i = 0; i < VEC / 2; i++)
        {
            t[2 * i] = LOW(r[i], r[i + VEC / 2]);
            t[2 * i + 1] = HIGH(r[i], r[i + VEC / 2]);
        }
        UNROLL for (int i = 0; i < VEC; i++) r[i] = t[i];
    }
}

#undef LOW
#undef HIGH

#endif
