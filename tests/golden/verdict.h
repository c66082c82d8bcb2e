/* SPDX-License-Identifier: MIT */
/* verdict.h - numbers against a fixture's, within its tolerances. */
#ifndef GOLDEN_VERDICT_H
#define GOLDEN_VERDICT_H

#include <jansson.h>

#include "npz.h"

typedef struct verdict {
    bool failed, skipped;
    char reason[700];  /* of the first failure, or of skipping */
    double worst;      /* largest |got - expected| / (atol + rtol |expected|) so far */
    char worst_at[96]; /* what it was found in */
} verdict;

/* What to compare with what: tolerance holds {group: {rtol, atol}}. */
typedef struct expected {
    const json_t *tolerance;
    const char *group, *name; /* "weights", "w3" */
    const array *want;
} expected;

void verdict_fail(verdict *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void verdict_floats(verdict *v, const expected *e, const float *got, size_t n);
void verdict_doubles(verdict *v, const expected *e, const double *got, size_t n);

#endif
