/* SPDX-License-Identifier: MIT */
/* math_test.c - the vector functions against the C library's in double, on grids and at the ends. */
#include "kernels/math.h"

#include <criterion/criterion.h>
#include <math.h>

typedef float (*fast)(float);
typedef double (*exact)(double);

static double sigmoid(double x)
{
    return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x));
}

static double softplus(double x)
{
    return fmax(x, 0) + log1p(exp(-fabs(x)));
}

static const struct range {
    const char *name;
    fast f;
    exact g;
    double from, to;
} ranges[] = {
    {"exp", qs_expf, exp, -87, 88.7},
    {"exp", qs_expf, exp, -1, 1},
    {"expm1", qs_expm1f, expm1, -50, 88},
    {"expm1", qs_expm1f, expm1, -1e-3, 1e-3},
    {"log", qs_logf, log, 1e-7, 4},
    {"log", qs_logf, log, 0.9, 1.1},
    {"log", qs_logf, log, 1, 1e30},
    {"log", qs_logf, log, 1e-41, 1e-38},
    {"log1p", qs_log1pf, log1p, -0.999999, 3},
    {"log1p", qs_log1pf, log1p, -1e-3, 1e-3},
    {"log1p", qs_log1pf, log1p, 1, 1e10},
    {"tanh", qs_tanhf, tanh, -12, 12},
    {"tanh", qs_tanhf, tanh, -0.1, 0.1},
    {"sigmoid", qs_sigmoidf, sigmoid, -87, 87},
    {"sigmoid", qs_sigmoidf, sigmoid, -3, 3},
    {"softplus", qs_softplusf, softplus, -87, 87},
    {"softplus", qs_softplusf, softplus, -3, 3},
    {"erf", qs_erff, erf, -5, 5},
    {"erf", qs_erff, erf, -1e-3, 1e-3},
};

Test(math, within_4e7_of_the_true_value)
{
    enum { STEPS = 300000 };
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
        for (int i = 0; i <= STEPS; i++) {
            const struct range *at = &ranges[r];
            const float x = (float)(at->from + (at->to - at->from) * i / STEPS);
            const double want = at->g((double)x), got = (double)at->f(x);
            cr_assert(fabs(got - want) <= 4e-7 * fabs(want) + 1e-44, "%s(%.9g) is %.9g, not %.9g",
                      at->name, (double)x, got, want);
        }
}

static const struct point {
    const char *name;
    fast f;
    float x, y;
} points[] = {
    {"exp", qs_expf, 0, 1},
    {"exp", qs_expf, -200, 0},
    {"exp", qs_expf, -INFINITY, 0},
    {"exp", qs_expf, 89, INFINITY},
    {"exp", qs_expf, INFINITY, INFINITY},
    {"expm1", qs_expm1f, 0, 0},
    {"expm1", qs_expm1f, -1e30f, -1},
    {"expm1", qs_expm1f, 100, INFINITY},
    {"log", qs_logf, 0, -INFINITY},
    {"log", qs_logf, 1, 0},
    {"log", qs_logf, INFINITY, INFINITY},
    {"log", qs_logf, -1, NAN},
    {"log1p", qs_log1pf, 0, 0},
    {"log1p", qs_log1pf, -1, -INFINITY},
    {"log1p", qs_log1pf, -2, NAN},
    {"log1p", qs_log1pf, INFINITY, INFINITY},
    {"tanh", qs_tanhf, 0, 0},
    {"tanh", qs_tanhf, 1e30f, 1},
    {"tanh", qs_tanhf, -INFINITY, -1},
    {"sigmoid", qs_sigmoidf, 0, 0.5f},
    {"sigmoid", qs_sigmoidf, 1e30f, 1},
    {"sigmoid", qs_sigmoidf, -1e30f, 0},
    {"softplus", qs_softplusf, -1e30f, 0},
    {"softplus", qs_softplusf, 1e30f, 1e30f},
    {"erf", qs_erff, 0, 0},
    {"erf", qs_erff, 10, 1},
    {"erf", qs_erff, -INFINITY, -1},
};

Test(math, ends_of_the_line)
{
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        const struct point *p = &points[i];
        const float y = p->f(p->x);
        cr_assert(y == p->y || (isnan(y) && isnan(p->y)), "%s(%g) is %g, not %g", p->name,
                  (double)p->x, (double)y, (double)p->y);
        cr_assert(isnan(p->f(NAN)), "%s(NaN) is a number", p->name);
    }
}

Test(math, exp_reaches_denormals)
{
    cr_assert_float_eq(qs_expf(-100) * 1e38f, 3.7835e-6f, 2e-9f);
    cr_assert_float_eq(qs_sigmoidf(-100) * 1e38f, 3.7835e-6f, 2e-9f);
}
