/* SPDX-License-Identifier: MIT */
/* verdict.c - numbers against a fixture's, within its tolerances. */
#include "verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void verdict_fail(verdict *v, const char *fmt, ...)
{
    if (v->failed)
        return;
    v->failed = true;
    va_list args;
    va_start(args, fmt);
    vsnprintf(v->reason, sizeof v->reason, fmt, args);
    va_end(args);
}

static bool size_fits(verdict *v, const expected *e, size_t n)
{
    if (!e->want)
        verdict_fail(v, "%s: the fixture has no such array", e->name);
    else if (n != e->want->count)
        verdict_fail(v, "%s: %zu numbers, expected %zu", e->name, n, e->want->count);
    else
        return true;
    return false;
}

static void one(verdict *v, const expected *e, size_t i, double got)
{
    const json_t *limits = json_object_get(e->tolerance, e->group);
    if (!limits) {
        verdict_fail(v, "%s: the fixture has no tolerance for %s", e->name, e->group);
        return;
    }
    const double want = array_at(e->want, i);
    const double allowed = json_number_value(json_object_get(limits, "atol")) +
                           json_number_value(json_object_get(limits, "rtol")) * fabs(want);
    const double ratio = isfinite(got) ? fabs(got - want) / allowed : INFINITY;
    if (ratio > v->worst || v->worst_at[0] == '\0') {
        v->worst = ratio;
        snprintf(v->worst_at, sizeof v->worst_at, "%s[%zu]", e->name, i);
    }
    if (ratio > 1)
        verdict_fail(v, "%s[%zu] is %.9g, expected %.9g within %.2g: %.3g times too far", e->name,
                     i, got, want, allowed, ratio);
}

void verdict_floats(verdict *v, const expected *e, const float *got, size_t n)
{
    for (size_t i = 0; size_fits(v, e, n) && i < n; i++)
        one(v, e, i, (double)got[i]);
}

void verdict_doubles(verdict *v, const expected *e, const double *got, size_t n)
{
    for (size_t i = 0; size_fits(v, e, n) && i < n; i++)
        one(v, e, i, got[i]);
}
