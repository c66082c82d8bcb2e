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

/* One set alone, and where `scale` needs the training set's statistics, that one: close it last.
 * Errors  QS_E_ARG  the statistics are needed, and `train` is NULL */
typedef struct samples_one {
    qs_data *data, *like; /* like NULL: not needed */
} samples_one;

qs_status samples_open_one(const char *spec, const char *scale, const char *train, samples_one *out,
                           qs_error *err);
void samples_close_one(samples_one *s);

#endif
