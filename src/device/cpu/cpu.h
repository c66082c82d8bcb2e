/* SPDX-License-Identifier: MIT */
/* cpu.h - the processor: how many threads, and a pool of workers. Private. */
#ifndef QS_DEVICE_CPU_CPU_H
#define QS_DEVICE_CPU_CPU_H

#include "base/fail.h"

/* Physical cores that this process may use: affinity, then the quota of its control group. At least 1. */
int qs_cpu_threads(void);

/* The processor's own name; "" where the system does not say. */
const char *qs_cpu_name(void);

/* Workers that run one function together and meet at barriers. The caller is thread 0. */
typedef struct qs_pool qs_pool;

qs_status qs_pool_open(int threads, qs_pool **out, qs_error *err);
void qs_pool_close(qs_pool *pool); /* NULL is fine */
int qs_pool_threads(const qs_pool *pool);

/* Call run(self, thread) on every thread; returns when all have. One caller at a time. */
void qs_pool_run(qs_pool *pool, void (*run)(void *self, int thread), void *self);

/* Inside run: all threads arrive, then thread 0 calls serial(self) (if not NULL), then all go on. */
void qs_pool_meet(qs_pool *pool, int thread, void (*serial)(void *self), void *self);

#endif
