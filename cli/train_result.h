/* SPDX-License-Identifier: MIT */
/* train_result.h - what a finished run came to, as JSON and in words. */
#ifndef QS_CLI_TRAIN_RESULT_H
#define QS_CLI_TRAIN_RESULT_H

#include <jansson.h>

#include "quickstep/quickstep.h"

/* All that the result is told from. */
typedef struct train_outcome {
    const qs_model *model;
    const char *label; /* how the user named the model */
    const qs_result *run;
    uint64_t seed;
    double startup_s, load_s, total_s;
    double peak_flops;   /* measured with the run's threads; 0: not measured */
    const json_t *saved; /* paths */
} train_outcome;

/* Fill the object of `train --json`. */
void train_result_json(const train_outcome *t, json_t *out);

/* The scores on stdout; speed on stderr unless quiet. */
void train_result_print(const train_outcome *t, int quiet);

#endif
