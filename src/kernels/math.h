/* SPDX-License-Identifier: MIT */
/* math.h - exp, log, tanh and their kin on floats, for loops over lanes. Private.
 *
 * Branch-free and without calls, so that compilers vectorise a loop that uses them; within 4e-7
 * (relative) of the true value, with the limits of <math.h>: exp(-200) is 0, log(0) is -inf, NaN
 * stays NaN. Coefficients are least-maximum fits made for these ranges.
 */
#ifndef QS_KERNELS_MATH_H
#define QS_KERNELS_MATH_H

#include <stdint.h>

static inline float qs_float_of_bits(uint32_t bits)
{
    const union {
        uint32_t bits;
        float x;
    } u = {bits};
    return u.x;
}

static inline uint32_t qs_bits_of_float(float x)
{
    const union {
        float x;
        uint32_t bits;
    } u = {x};
    return u.bits;
}

static inline float qs_absf(float x)
{
    return qs_float_of_bits(qs_bits_of_float(x) & 0x7fffffffu);
}

/* |x| with the sign of y. */
static inline float qs_signf(float x, float y)
{
    return qs_float_of_bits((qs_bits_of_float(x) & 0x7fffffffu) |
                            (qs_bits_of_float(y) & 0x80000000u));
}

/* The second where the first is NaN, as in SSE. */
static inline float qs_maxf(float x, float y)
{
    return x > y ? x : y;
}

static inline float qs_minf(float x, float y)
{
    return x < y ? x : y;
}

/* NaN stays NaN. */
static inline float qs_clipf(float x, float low, float high)
{
    const float y = x < low ? low : x;
    return y > high ? high : y;
}

/* 2^n for n in [-126, 127]. */
static inline float qs_power_of_2(int32_t n)
{
    return qs_float_of_bits((uint32_t)(n + 127) << 23);
}

/* x = n ln 2 + r with |r| <= ln(2)/2; returns exp(r) - 1. |x| < 2^21. */
static inline float qs_reduced_expm1(float x, int32_t *n)
{
    const float shift = 12582912.0f; /* 1.5 * 2^23: adding it rounds to a whole number */
    const float z = x * 1.44269504f + shift;
    const float whole = z - shift;
    *n = (int32_t)(qs_bits_of_float(z) - 0x4b400000u);
    const float r = x - whole * 0.693359375f + whole * 2.12194440e-4f;
    const float p =
        0.5f +
        r * (0.16666666f +
             r * (0.041666493f + r * (0.008333547f + r * (0.0013932314f + r * 0.00019760957f))));
    return r + r * r * p;
}

static inline float qs_expf(float x)
{
    int32_t n;
    const float p = qs_reduced_expm1(qs_clipf(x, -110.0f, 90.0f), &n);
    const int32_t half = n >> 1; /* 2^n in two factors: reaches denormals and infinity */
    return (p + 1.0f) * qs_power_of_2(half) * qs_power_of_2(n - half);
}

static inline float qs_expm1f(float x)
{
    int32_t n;
    const float p = qs_reduced_expm1(qs_clipf(x, -40.0f, 88.8f), &n);
    const float half = qs_power_of_2(n - 1);
    return 2.0f * (half * p + (half - 0.5f));
}

/* log of x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), plus a small correction. x normal. */
static inline float qs_normal_logf(float x, float k, float correction)
{
    const uint32_t bits = qs_bits_of_float(x) + (0x3f800000u - 0x3f3504f3u);
    const float power = (float)((int32_t)(bits >> 23) - 127) + k;
    const float f = qs_float_of_bits((bits & 0x007fffffu) + 0x3f3504f3u) - 1.0f;
    const float s = f / (2.0f + f), z = s * s;
    const float series =
        z * (0.66666663f + z * (0.40000972f + z * (0.28498769f + z * 0.24279878f)));
    const float square = 0.5f * f * f;
    return s * (square + series) + (power * 9.0580006e-6f + correction) - square + f +
           power * 0.69313812f;
}

static inline float qs_logf(float x)
{
    const int tiny = x < 1.17549435e-38f;
    const float y = qs_normal_logf(tiny ? x * 8388608.0f : x, tiny ? -23.0f : 0.0f, 0.0f);
    const float at_least_0 = x == 0.0f ? -__builtin_inff() : y;
    const float real = x < 0.0f ? __builtin_nanf("") : at_least_0;
    return x < __builtin_inff() ? real : x; /* NaN and infinity are their own logarithms */
}

/* log(1 + x). */
static inline float qs_log1pf(float x)
{
    const float u = 1.0f + x;
    const float lost = x < 1.0f ? x - (u - 1.0f) : 1.0f - (u - x); /* by rounding u */
    const float y = qs_normal_logf(u, 0.0f, lost / u);
    const float at_least_m1 = x == -1.0f ? -__builtin_inff() : y;
    const float real = x < -1.0f ? __builtin_nanf("") : at_least_m1;
    return x < __builtin_inff() ? real : x;
}

static inline float qs_tanhf(float x)
{
    const float e = qs_expm1f(2.0f * qs_clipf(qs_absf(x), 0.0f, 10.0f));
    return qs_signf(e / (e + 2.0f), x);
}

static inline float qs_sigmoidf(float x)
{
    const float e = qs_expf(-qs_absf(x));
    return (x < 0.0f ? e : 1.0f) / (1.0f + e);
}

/* log(1 + exp(x)). */
static inline float qs_softplusf(float x)
{
    return (x > 0.0f ? x : 0.0f) + qs_log1pf(qs_expf(-qs_absf(x)));
}

static inline float qs_erff(float x)
{
    const float a = qs_clipf(qs_absf(x), 0.0f, 4.1f), z = a * a;
    const float small =
        0.12837917f +
        z * (-0.37612626f +
             z * (0.11283579f +
                  z * (-0.026853347f +
                       z * (0.0051871622f + z * (-0.00079978531f + z * 7.8069032e-05f)))));
    const float power =
        -0.0001692039f +
        a * (1.1294883f +
             a * (0.63340110f +
                  a * (0.10821994f +
                       a * (-0.025080202f +
                            a * (0.0041560405f + a * (-0.00043133582f + a * 2.0822302e-05f))))));
    const float y = a < 0.95f ? a + a * small : 1.0f - qs_expf(-power);
    return qs_signf(y, x);
}

#endif
