/* SPDX-License-Identifier: MIT */
/* latency.h - how long one sample takes, and how long it must take at least. */
#ifndef QS_CLI_LATENCY_H
#define QS_CLI_LATENCY_H

#include "quickstep/quickstep.h"

/* Microseconds. */
typedef struct latency {
    double median, p99;
    double floor; /* reading all weights once, measured the same way */
} latency;

/* Predict n single samples, one by one, after a warm-up.
 * Errors  as qs_trainer_predict() */
qs_status latency_measure(const qs_model *model, qs_trainer *trainer, size_t n, latency *out,
                          qs_error *err);

#endif
