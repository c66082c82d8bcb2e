/* SPDX-License-Identifier: MIT */
/* pool.c - one parallel region for a whole run: workers sleep between runs and spin inside one. */
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "device/cpu/cpu.h"

enum { SPINS = 2000, LINE = 64, FEW = 64 }; /* spins take about 100 us */

/* A number that threads wait on. */
typedef struct gate {
    _Alignas(LINE) atomic_uint word;
    atomic_int sleepers;
} gate;

typedef struct worker {
    qs_pool *pool;
    pthread_t thread;
    int id;
} worker;

struct qs_pool {
    int threads, started;
    worker *worker;
    pthread_mutex_t lock;
    pthread_cond_t wake, finished;
    unsigned generation; /* of runs, under lock */
    int running;         /* workers not done with the present run, under lock */
    bool closing;
    void (*run)(void *self, int thread);
    void *self;
    unsigned gathered; /* what `arrived` was after the last meeting; thread 0's own */
    gate arrived, phase;
};

/* ---- waiting: spin briefly, then sleep, so that a taken core is given to who needs it ---- */

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static void sleep_while(gate *g, unsigned value)
{
    atomic_fetch_add(&g->sleepers, 1);
    syscall(SYS_futex, &g->word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
    atomic_fetch_sub(&g->sleepers, 1);
}

/* Until the word is no longer `value`; returns what it is then. */
static unsigned wait_while(gate *g, unsigned value)
{
    unsigned now;
    for (int spin = 0; (now = atomic_load_explicit(&g->word, memory_order_acquire)) == value;
         spin++)
        if (spin < SPINS)
            pause_briefly();
        else
            sleep_while(g, value);
    return now;
}

/* Add to the word; whoever sleeps on it looks again. */
static void advance(gate *g)
{
    atomic_fetch_add(&g->word, 1);
    if (atomic_load(&g->sleepers) > 0)
        syscall(SYS_futex, &g->word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* Both words only grow, and wrap around: `arrived` by all but one at each meeting, `phase` by one. */
static void lead(qs_pool *p, void (*serial)(void *self), void *self)
{
    const unsigned all = p->gathered + (unsigned)p->threads - 1;
    for (unsigned now = atomic_load_explicit(&p->arrived.word, memory_order_acquire); now != all;)
        now = wait_while(&p->arrived, now);
    p->gathered = all;
    if (serial)
        serial(self);
    if (p->threads > 1)
        advance(&p->phase);
}

static void follow(qs_pool *p)
{
    const unsigned phase = atomic_load_explicit(&p->phase.word, memory_order_relaxed);
    advance(&p->arrived);
    wait_while(&p->phase, phase);
}

void qs_pool_meet(qs_pool *p, int thread, void (*serial)(void *self), void *self)
{
    if (thread == 0)
        lead(p, serial, self);
    else
        follow(p);
}

/* Numbers below 1e-38 count as 0 while work is done: arithmetic with them takes a hundred times as
 * long, and moments of weights that no longer learn become such. Returns what to restore. */
#if defined(__x86_64__)
static unsigned flush_denormals(void)
{
    enum { FLUSH_TO_ZERO = 0x8000, DENORMALS_ARE_ZERO = 0x40 };
    const unsigned before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(before | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO);
    return before;
}

static void restore_denormals(unsigned before)
{
    __builtin_ia32_ldmxcsr(before);
}
#else
static unsigned flush_denormals(void)
{
    return 0;
}

static void restore_denormals(unsigned before)
{
    (void)before;
}
#endif

static void *work(void *arg)
{
    const worker *me = arg;
    qs_pool *p = me->pool;
    unsigned seen = 0;
    flush_denormals();
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (p->generation == seen && !p->closing)
            pthread_cond_wait(&p->wake, &p->lock);
        if (p->closing)
            break;
        seen = p->generation;
        pthread_mutex_unlock(&p->lock);
        p->run(p->self, me->id);
        pthread_mutex_lock(&p->lock);
        if (--p->running == 0)
            pthread_cond_signal(&p->finished);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

void qs_pool_run(qs_pool *p, void (*run)(void *self, int thread), void *self)
{
    pthread_mutex_lock(&p->lock);
    p->run = run;
    p->self = self;
    p->running = p->threads - 1;
    p->generation++;
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->lock);
    const unsigned before = flush_denormals();
    run(self, 0);
    restore_denormals(before);
    pthread_mutex_lock(&p->lock);
    while (p->running)
        pthread_cond_wait(&p->finished, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

static qs_status start_workers(qs_pool *p, qs_error *err)
{
    for (int i = 1; i < p->threads; i++, p->started++) {
        p->worker[i] = (worker){.pool = p, .id = i};
        if (pthread_create(&p->worker[i].thread, NULL, work, &p->worker[i]) != 0)
            return qs_fail(err, QS_E_DEVICE, "cannot start thread %d of %d; use fewer threads", i,
                           p->threads);
    }
    return QS_OK;
}

/* More than a few for each core only wait for one another: seconds for each step. */
static int at_most(int threads)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const long most = 2 * cores > FEW ? 2 * cores : FEW;
    return threads < most ? threads : (int)most;
}

qs_status qs_pool_open(int threads, qs_pool **out, qs_error *err)
{
    threads = at_most(threads);
    qs_pool *p = qs_calloc(1, sizeof *p);
    worker *workers = qs_calloc((size_t)threads, sizeof *workers);
    if (!p || !workers) {
        qs_free(p);
        qs_free(workers);
        return qs_fail_memory(err, (double)threads * sizeof *workers, "the worker pool");
    }
    p->threads = threads;
    p->worker = workers;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->wake, NULL);
    pthread_cond_init(&p->finished, NULL);
    const qs_status status = start_workers(p, err);
    if (status != QS_OK) {
        qs_pool_close(p);
        return status;
    }
    *out = p;
    return QS_OK;
}

int qs_pool_threads(const qs_pool *p)
{
    return p->threads;
}

void qs_pool_close(qs_pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->closing = true;
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->lock);
    for (int i = 1; i <= p->started; i++)
        pthread_join(p->worker[i].thread, NULL);
    pthread_cond_destroy(&p->finished);
    pthread_cond_destroy(&p->wake);
    pthread_mutex_destroy(&p->lock);
    qs_free(p->worker);
    qs_free(p);
}
