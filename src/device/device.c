/* SPDX-License-Identifier: MIT */
/* device.c - what a network can run on here, and how fast that could be. */
#include <pthread.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/tap.h"
#include "device/cpu/cpu.h"
#include "kernels/kernels.h"
#include "quickstep/device.h"

int qs_device_count(void)
{
    return 1;
}

qs_status qs_device_describe(int index, qs_device_info *out, qs_error *err)
{
    if (index != 0)
        return qs_fail(err, QS_E_ARG, "no device %d, there is %d", index, qs_device_count());
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    *out = (qs_device_info){.name = "cpu",
                            .description = qs_cpu_name(),
                            .usable = 1,
                            .rung = qs_kernels_best()->name,
                            .threads = qs_cpu_threads(),
                            .memory_bytes = pages > 0 ? (size_t)pages * (size_t)page : 0};
    return QS_OK;
}

enum { TRIES = 8, ROUNDS = 100000 }; /* of about a millisecond each */

typedef struct peak_run {
    qs_pool *pool;
    double flops; /* of one thread */
    double best;  /* of all threads, a second */
    double start;
} peak_run;

static void begin_try(void *self)
{
    peak_run *p = self;
    p->start = qs_now();
}

static void end_try(void *self)
{
    peak_run *p = self;
    const double rate = p->flops * qs_pool_threads(p->pool) / (qs_now() - p->start);
    p->best = rate > p->best ? rate : p->best;
}

static void measure(void *self, int thread)
{
    peak_run *p = self;
    const qs_kernel_tables *tables = qs_kernels_best();
    for (int i = 0; i < TRIES; i++) {
        qs_pool_meet(p->pool, thread, begin_try, p);
        const double flops = tables->peak(ROUNDS);
        if (thread == 0)
            p->flops = flops;
        qs_pool_meet(p->pool, thread, end_try, p);
    }
}

double qs_device_peak_flops(int threads)
{
    peak_run run = {0};
    if (qs_pool_open(threads > 0 ? threads : qs_cpu_threads(), &run.pool, NULL) != QS_OK)
        return 0;
    qs_pool_run(run.pool, measure, &run);
    qs_pool_close(run.pool);
    return run.best;
}
