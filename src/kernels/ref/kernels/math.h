/* SPDX-License-Identifier: MIT */
/* math.h - what kernels/math.h computes, by the C library in double: the reference rung finds this
 * file first. Private. */
#ifndef QS_KERNELS_REF_MATH_H
#define QS_KERNELS_REF_MATH_H

#include <math.h>

static inline float qs_absf(float x)
{
    return fabsf(x);
}

static inline float qs_signf(float x, float y)
{
    return copysignf(x, y);
}

static inline float qs_maxf(float x, float y)
{
    return x > y ? x : y;
}

static inline float qs_minf(float x, float y)
{
    return x < y ? x : y;
}

static inline float qs_clipf(float x, float low, float high)
{
    const float y = x < low ? low : x;
    return y > high ? high : y;
}

static inline float qs_expf(float x)
{
    return (float)exp((double)x);
}

static inline float qs_expm1f(float x)
{
    return (float)expm1((double)x);
}

static inline float qs_logf(float x)
{
    return (float)log((double)x);
}

static inline float qs_log1pf(float x)
{
    return (float)log1p((double)x);
}

static inline float qs_tanhf(float x)
{
    return (float)tanh((double)x);
}

static inline float qs_sigmoidf(float x)
{
    return (float)(1 / (1 + exp(-(double)x)));
}

static inline float qs_erff(float x)
{
    return (float)erf((double)x);
}

static inline float qs_softplusf(float x)
{
    return (float)(fmax((double)x, 0) + log1p(exp(-fabs((double)x))));
}

#endif
