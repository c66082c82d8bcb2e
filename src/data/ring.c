/* SPDX-License-Identifier: MIT */
/* ring.c - worker threads take batch numbers in order and fill the slot of each. */
#include "data/ring.h"

#include <pthread.h>
#include <signal.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "data/fetch.h"

typedef struct slot {
    qs_batch batch;
    size_t ready; /* number of the batch that lies here, + 1; 0: none */
    size_t n;
    qs_status status;
    qs_error err;
} slot;

struct qs_ring {
    qs_ring_options options;
    qs_arena arena;
    slot *slots;
    pthread_t *threads;
    int started;

    pthread_mutex_t lock; /* of all below, and of each slot's `ready` */
    pthread_cond_t work, done;
    size_t ticket;      /* the next batch that a worker takes */
    size_t held, count; /* the batch that the caller uses; end of the epoch */
    int busy;           /* workers that fill a slot right now */
    bool closing;
};

static void fill(qs_ring *ring, slot *to, size_t number)
{
    const qs_ring_options *const o = &ring->options;
    const size_t first = number * o->batch, left = o->data->rows - first;
    to->n = left < o->batch ? left : o->batch;
    if (o->delay > 0)
        qs_clock_sleep(o->delay);
    to->status = qs_batch_fill(o->data, o->index + first, to->n, &to->batch, &to->err);
}

static bool has_work(const qs_ring *ring)
{
    return ring->ticket < ring->count && ring->ticket < ring->held + (size_t)ring->options.slots;
}

static void *work(void *self)
{
    qs_ring *const ring = self;
    pthread_mutex_lock(&ring->lock);
    for (;;) {
        while (!ring->closing && !has_work(ring))
            pthread_cond_wait(&ring->work, &ring->lock);
        if (ring->closing)
            break;
        const size_t number = ring->ticket++;
        slot *const to = &ring->slots[number % (size_t)ring->options.slots];
        ring->busy++;
        pthread_mutex_unlock(&ring->lock);
        fill(ring, to, number);
        pthread_mutex_lock(&ring->lock);
        ring->busy--;
        to->ready = number + 1;
        pthread_cond_broadcast(&ring->done);
    }
    pthread_mutex_unlock(&ring->lock);
    return NULL;
}

/* Signals are for the program's own threads. */
static qs_status start_threads(qs_ring *ring, qs_error *err)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = 0;
    while (!code && ring->started < ring->options.workers) {
        code = pthread_create(&ring->threads[ring->started], NULL, work, ring);
        ring->started += !code;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (ring->started == 0)
        return qs_fail(err, QS_E_NOMEM, "no thread to load data could be started (error %d)", code);
    return QS_OK; /* fewer than asked for do the same work */
}

static qs_status make_slots(qs_ring *ring, qs_error *err)
{
    const qs_ring_options *const o = &ring->options;
    ring->slots = QS_NEW_N(&ring->arena, slot, (size_t)o->slots);
    ring->threads = QS_NEW_N(&ring->arena, pthread_t, (size_t)o->workers);
    if (!ring->slots || !ring->threads)
        return qs_fail_memory(err, (double)o->slots * sizeof(slot), "a ring of batches");
    for (int i = 0; i < o->slots; i++)
        QS_TRY(qs_batch_alloc(o->data, o->batch, &ring->arena, &ring->slots[i].batch, err));
    return QS_OK;
}

qs_status qs_ring_open(const qs_ring_options *options, qs_ring **out, qs_error *err)
{
    qs_ring *const ring = qs_calloc(1, sizeof *ring);
    if (!ring)
        return qs_fail_memory(err, sizeof *ring, "a ring of batches");
    ring->options = *options;
    pthread_mutex_init(&ring->lock, NULL);
    pthread_cond_init(&ring->work, NULL);
    pthread_cond_init(&ring->done, NULL);
    qs_status status = make_slots(ring, err);
    if (status == QS_OK)
        status = start_threads(ring, err);
    if (status != QS_OK) {
        qs_ring_close(ring);
        return status;
    }
    *out = ring;
    return QS_OK;
}

void qs_ring_stop(qs_ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    ring->count = 0;
    while (ring->busy > 0)
        pthread_cond_wait(&ring->done, &ring->lock);
    pthread_mutex_unlock(&ring->lock);
}

void qs_ring_start(qs_ring *ring, size_t first, size_t count)
{
    qs_ring_stop(ring);
    pthread_mutex_lock(&ring->lock);
    for (int i = 0; i < ring->options.slots; i++)
        ring->slots[i].ready = 0;
    ring->ticket = ring->held = first;
    ring->count = count;
    pthread_cond_broadcast(&ring->work);
    pthread_mutex_unlock(&ring->lock);
}

qs_status qs_ring_next(qs_ring *ring, size_t number, qs_rows *rows, double *waited, qs_error *err)
{
    slot *const from = &ring->slots[number % (size_t)ring->options.slots];
    pthread_mutex_lock(&ring->lock);
    ring->held = number;
    pthread_cond_broadcast(&ring->work);
    if (from->ready != number + 1) {
        const double began = qs_now();
        while (from->ready != number + 1)
            pthread_cond_wait(&ring->done, &ring->lock);
        *waited += qs_now() - began;
    }
    pthread_mutex_unlock(&ring->lock);
    if (from->status != QS_OK)
        return qs_fail(err, from->status, "%s", from->err.text);
    qs_batch_rows(ring->options.data, &from->batch, from->n, rows);
    return QS_OK;
}

void qs_ring_close(qs_ring *ring)
{
    if (!ring)
        return;
    pthread_mutex_lock(&ring->lock);
    ring->closing = true;
    pthread_cond_broadcast(&ring->work);
    pthread_mutex_unlock(&ring->lock);
    for (int i = 0; i < ring->started; i++)
        pthread_join(ring->threads[i], NULL);
    pthread_cond_destroy(&ring->work);
    pthread_cond_destroy(&ring->done);
    pthread_mutex_destroy(&ring->lock);
    qs_arena_free(&ring->arena);
    qs_free(ring);
}
