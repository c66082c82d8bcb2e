/* SPDX-License-Identifier: MIT */
/* samples.h - opens the sets that a command works on, all scaled alike. */
#ifndef QS_CLI_SAMPLES_H
#define QS_CLI_SAMPLES_H

#include "quickstep/data.h"

/* NULL: none. */
typedef struct samples_plan {
    const char *train, *valid, *test, *scale;
    int own_test;       /* without `test`: the set's own test part, where it has one */
    double valid_split; /* without `valid`: the fraction of train to put aside; 0: none */
} samples_plan;

typedef struct samples {
    qs_data *whole;        /* what `train` names */
    qs_data *train;        /* of which this part is trained on: whole, or the first rows */
    qs_data *valid, *test; /* NULL: none */
    const char *test_name; /* what was opened as test; NULL: none */
} samples;

qs_status samples_open(const samples_plan *plan, samples *out, qs_error *err);
void samples_close(samples *s);

/* One set alone. A scale that needs the training set's statistics takes them from `train`. */
qs_status samples_open_one(const char *spec, const char *scale, const char *train, qs_data **out,
                           qs_error *err);

#endif
