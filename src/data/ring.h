/* SPDX-License-Identifier: MIT */
/* ring.h - batches fetched ahead by threads into slots, handed out in order. Private.
 *
 * Threads are started by open and live until close. Between stop and start they touch nothing, so
 * that the caller may change the index.
 */
#ifndef QS_DATA_RING_H
#define QS_DATA_RING_H

#include "data/data.h"

typedef struct qs_ring qs_ring;

typedef struct qs_ring_options {
    const qs_data *data;
    const uint32_t *index; /* [rows] order of an epoch */
    size_t batch;
    int slots, workers; /* at least 1 */
    double delay;       /* seconds that loading a batch takes longer: for tests */
} qs_ring_options;

qs_status qs_ring_open(const qs_ring_options *options, qs_ring **out, qs_error *err);
void qs_ring_stop(qs_ring *ring);                              /* when idle, too */
void qs_ring_start(qs_ring *ring, size_t first, size_t count); /* batches first … count-1 */

/* Batch `number`, the one after the last; *waited grows by the seconds that it was not there yet.
 * Errors: what the set's own source failed with. */
qs_status qs_ring_next(qs_ring *ring, size_t number, qs_rows *rows, double *waited, qs_error *err);
void qs_ring_close(qs_ring *ring);

#endif
