/* SPDX-License-Identifier: MIT */
/* tap.h - where time went, told to whoever listens. Private.
 *
 * The executor, the feeder and the run report finished spans here; a profiler listens. Neither side
 * includes the other. Without a listener no clock is read.
 */
#ifndef QS_BASE_TAP_H
#define QS_BASE_TAP_H

#include <stdint.h>

#include "base/clock.h"

typedef enum qs_span_kind {
    QS_SPAN_CALL, /* id: its place in the program; part: slice or first item */
    QS_SPAN_WAIT, /* for the other threads */
    QS_SPAN_STEP, /* from one step's start to the next's; id: how many so far */
    QS_SPAN_FEED,
    QS_SPAN_CHECKPOINT
} qs_span_kind;

typedef struct qs_span {
    qs_span_kind kind;
    uint32_t id;
    uint32_t lane; /* thread */
    uint32_t part;
    double start, end; /* seconds on the clock of qs_now() */
} qs_span;

typedef struct qs_tap {
    void (*span)(void *self, const qs_span *span); /* from several threads at once, one a lane */
    void *self;
} qs_tap;

#endif
