/* SPDX-License-Identifier: MIT */
/* feeder.h - batches of a set, in the order of an epoch: used in place, or fetched ahead. Private.
 *
 * Both ways give the same bytes: resident hands out the set's own arrays and an index; prefetch has
 * worker threads (started once) copy rows into a ring of slots and hands those out.
 */
#ifndef QS_DATA_FEEDER_H
#define QS_DATA_FEEDER_H

#include "data/data.h"
#include "kernels/step.h"

typedef struct qs_feeder qs_feeder;

typedef struct qs_feeder_options {
    size_t batch;
    bool shuffle; /* a new permutation each epoch, keyed by (seed, epoch) */
    uint64_t seed;
    int resident; /* -1 auto, 0 off, 1 on; a custom source is never resident */
    int prefetch; /* slots of the ring, -1: chosen (3) */
    int workers;  /* -1: chosen */
} qs_feeder_options;

qs_status qs_feeder_open(const qs_data *data, const qs_feeder_options *options, qs_feeder **out,
                         qs_error *err);

/* Begin epoch `epoch` (from 1) at batch `first` (0, or where a resumed epoch goes on). */
qs_status qs_feeder_start(qs_feeder *feeder, uint64_t epoch, size_t first, qs_error *err);

/* The next batch; the last one may be short; rows->n is 0 at the end of the epoch. Valid until the
 * next call. */
qs_status qs_feeder_next(qs_feeder *feeder, qs_rows *rows, qs_error *err);

size_t qs_feeder_batches(const qs_feeder *feeder); /* of an epoch */
bool qs_feeder_resident(const qs_feeder *feeder);
double qs_feeder_waited(const qs_feeder *feeder); /* seconds that next() waited, this epoch */
void qs_feeder_close(qs_feeder *feeder);

#endif
