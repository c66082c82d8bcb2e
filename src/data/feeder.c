/* SPDX-License-Identifier: MIT */
/* feeder.c - the order of an epoch, and its batches: in place, or out of a ring. */
#include "data/feeder.h"

#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/inject.h"
#include "base/rng.h"
#include "data/ring.h"

enum { SHUFFLE_STREAM = 1, SLOTS = 3, MOST_SLOTS = 1024, MOST_WORKERS = 64 };

struct qs_feeder {
    const qs_data *data;
    size_t batch, batches;
    bool shuffle;
    uint64_t seed;
    uint32_t *index; /* [rows] order of this epoch */
    size_t next;     /* batch */
    qs_rows whole;   /* the set's arrays in place */
    qs_ring *ring;   /* NULL: resident */
    double waited, delay;
};

static int between(int x, int least, int most)
{
    return x < least ? least : x > most ? most : x;
}

/* A caller's source may take long, and the cores have a network to train. */
static int choose_workers(const qs_data *data)
{
    return data->source.read ? between((int)sysconf(_SC_NPROCESSORS_ONLN) / 2, 1, 4) : 1;
}

static bool choose_resident(const qs_data *data, int asked)
{
    if (data->source.read)
        return false;
    return asked < 0 ? qs_store_fits(&data->store) : asked > 0;
}

static void set_whole(qs_feeder *feeder)
{
    const qs_data *const data = feeder->data;
    feeder->whole = (qs_rows){
        .x = data->x,
        .x_type = data->x_type,
        .features = qs_shape_count(&data->sample),
        .row_factor = data->row_factor,
        .mul = data->mul,
        .add = data->add,
        .affine = data->affine,
        .y = data->y,
        .y_type = data->y_type,
        .outputs = data->outputs,
        .weight = data->weight,
    };
}

static qs_status make_ring(qs_feeder *feeder, const qs_feeder_options *o, qs_error *err)
{
    const qs_ring_options options = {
        .data = feeder->data,
        .index = feeder->index,
        .batch = feeder->batch < feeder->data->rows ? feeder->batch : feeder->data->rows,
        .slots = o->prefetch < 0 ? SLOTS : between(o->prefetch, 1, MOST_SLOTS),
        .workers =
            o->workers < 1 ? choose_workers(feeder->data) : between(o->workers, 1, MOST_WORKERS),
        .delay = feeder->delay,
    };
    return qs_ring_open(&options, &feeder->ring, err);
}

static qs_status set_up(qs_feeder *feeder, const qs_feeder_options *options, qs_error *err)
{
    const size_t rows = feeder->data->rows;
    feeder->index = qs_calloc(rows, sizeof *feeder->index);
    if (!feeder->index)
        return qs_fail_memory(err, 4 * (double)rows, "the order of the samples");
    for (size_t i = 0; i < rows; i++)
        feeder->index[i] = (uint32_t)i;
    set_whole(feeder);
    return choose_resident(feeder->data, options->resident) ? QS_OK
                                                            : make_ring(feeder, options, err);
}

qs_status qs_feeder_open(const qs_data *data, const qs_feeder_options *options, qs_feeder **out,
                         qs_error *err)
{
    if (options->batch == 0)
        return qs_fail(err, QS_E_ARG, "a batch of 0 samples; it must be at least 1");
    qs_feeder *const feeder = qs_calloc(1, sizeof *feeder);
    if (!feeder)
        return qs_fail_memory(err, sizeof *feeder, "a feeder");
    feeder->data = data;
    feeder->batch = options->batch;
    feeder->batches = (data->rows - 1) / options->batch + 1;
    feeder->shuffle = options->shuffle;
    feeder->seed = options->seed;
    feeder->delay = qs_inject("load_ms") / 1000;
    feeder->next = feeder->batches;
    const qs_status status = set_up(feeder, options, err);
    if (status != QS_OK) {
        qs_feeder_close(feeder);
        return status;
    }
    *out = feeder;
    return QS_OK;
}

qs_status qs_feeder_start(qs_feeder *feeder, uint64_t epoch, size_t first, qs_error *err)
{
    if (first > feeder->batches)
        return qs_fail(err, QS_E_ARG, "batch %zu of an epoch that has %zu", first, feeder->batches);
    if (feeder->ring)
        qs_ring_stop(feeder->ring);
    if (feeder->shuffle)
        qs_permute(qs_key(feeder->seed, epoch, SHUFFLE_STREAM), feeder->index, feeder->data->rows);
    feeder->next = first;
    feeder->waited = 0;
    if (feeder->ring)
        qs_ring_start(feeder->ring, first, feeder->batches);
    return QS_OK;
}

/* Stands for a slow disk or decoder; the caller waits for all of it. */
static void wait_for_delay(qs_feeder *feeder)
{
    const double began = qs_now();
    qs_clock_sleep(feeder->delay);
    feeder->waited += qs_now() - began;
}

static void next_in_place(qs_feeder *feeder, qs_rows *rows)
{
    const size_t at = feeder->next * feeder->batch, left = feeder->data->rows - at;
    if (feeder->delay > 0)
        wait_for_delay(feeder);
    *rows = feeder->whole;
    rows->index = feeder->index + at;
    rows->n = left < feeder->batch ? left : feeder->batch;
}

qs_status qs_feeder_next(qs_feeder *feeder, qs_rows *rows, qs_error *err)
{
    if (feeder->next == feeder->batches) {
        rows->n = 0;
        return QS_OK;
    }
    if (feeder->ring)
        QS_TRY(qs_ring_next(feeder->ring, feeder->next, rows, &feeder->waited, err));
    else
        next_in_place(feeder, rows);
    feeder->next++;
    return QS_OK;
}

size_t qs_feeder_batches(const qs_feeder *feeder)
{
    return feeder->batches;
}

bool qs_feeder_resident(const qs_feeder *feeder)
{
    return !feeder->ring;
}

double qs_feeder_waited(const qs_feeder *feeder)
{
    return feeder->waited;
}

void qs_feeder_close(qs_feeder *feeder)
{
    if (!feeder)
        return;
    qs_ring_close(feeder->ring);
    qs_free(feeder->index);
    qs_free(feeder);
}
