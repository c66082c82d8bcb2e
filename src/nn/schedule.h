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
} qs_schedule_kind;

extern const qs_registry qs_schedule_registry;

#endif
