/* SPDX-License-Identifier: MIT */
/* schedule.h - learning rate by step. Private. */
#ifndef QS_NN_SCHEDULE_H
#define QS_NN_SCHEDULE_H

#include <stdint.h>

#include "nn/spec.h"

typedef struct qs_schedule_kind {
    qs_kind kind;
    double (*rate)(const qs_spec *spec,
                   uint64_t step); /* step from 0, as Keras' schedules see it */
    qs_status (*check)(const qs_spec *spec, qs_error *err); /* NULL: attributes say it all */
} qs_schedule_kind;

extern const qs_registry qs_schedule_registry;

/* The rate of an update: of the schedule where the optimizer's learning_rate is one, else that
 * number. step from 0. */
double qs_learning_rate(const qs_spec *optim, uint64_t step);

/* What attributes alone cannot say: lists of fitting lengths. QS_E_ARG names what is wrong. */
qs_status qs_schedule_check(const qs_spec *schedule, qs_error *err);

#endif
