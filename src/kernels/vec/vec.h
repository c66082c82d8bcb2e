/* SPDX-License-Identifier: MIT */
/* vec.h - the vector type of the instruction set that a file is being compiled for. Private.
 *
 * Every file in this folder is compiled once for each rung, with QS_RUNG(name) giving its names.
 */
#ifndef QS_KERNELS_VEC_VEC_H
#define QS_KERNELS_VEC_VEC_H

#include <math.h>
#include <stddef.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

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

/* VEC bytes as floats; compilers take the long way by themselves. */
INLINE vec load_bytes(const unsigned char *p)
{
#if defined(__AVX512F__)
    return (vec)_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)p)));
#elif defined(__AVX2__)
    return (vec)_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p)));
#else
    return (vec){p[0], p[1], p[2], p[3]};
#endif
}

INLINE vec larger(vec a, vec b)
{
    for (int i = 0; i < VEC; i++)
        a[i] = a[i] > b[i] ? a[i] : b[i];
    return a;
}

/* x / (sqrt(v) + epsilon) for v >= 0. */
#if defined(__AVX512F__)
/* Estimates of 14 bits and one Newton step each, within 4e-7: dividing and taking roots of 16 floats
 * takes 34 cycles, this 8. Roots below 2^-50 are taken for 2^-50. */
INLINE vec over_root(vec x, vec v, float epsilon)
{
    const vec a = (vec)_mm512_max_ps((__m512)v, _mm512_set1_ps(0x1p-100f));
    vec r = (vec)_mm512_rsqrt14_ps((__m512)a);
    r = r * (1.5f - 0.5f * a * r * r);
    const vec d = a * r + epsilon;
    const vec q = (vec)_mm512_rcp14_ps((__m512)d);
    return x * (q * (2 - d * q));
}
#else
INLINE vec over_root(vec x, vec v, float epsilon)
{
    for (int i = 0; i < VEC; i++)
        v[i] = sqrtf(v[i]);
    return x / (v + epsilon);
}
#endif

#endif
