/* SPDX-License-Identifier: MIT */
/* pool_test.c - workers meet, the first one acts alone, and everybody sees what it did. */
#include <criterion/criterion.h>
#include <stdatomic.h>

#include "device/cpu/cpu.h"

enum { ROUNDS = 2000, MOST = 4 };

typedef struct rounds {
    qs_pool *pool;
    long turn;            /* changed by the serial part only, read by all */
    long seen[MOST];      /* what each thread counted, its own */
    long sum;             /* made from seen[] while all wait */
    atomic_int inside;    /* threads between two meetings */
    atomic_int intruders; /* times that the serial part was not alone */
    int ran[MOST];
} rounds;

static void serial(void *self)
{
    rounds *r = self;
    if (atomic_load(&r->inside) != 0)
        atomic_fetch_add(&r->intruders, 1);
    r->turn++;
    r->sum = 0;
    for (int i = 0; i < MOST; i++)
        r->sum += r->seen[i];
}

static void run(void *self, int thread)
{
    rounds *r = self;
    r->ran[thread]++;
    for (int i = 0; i < ROUNDS; i++) {
        qs_pool_meet(r->pool, thread, serial, r);
        atomic_fetch_add(&r->inside, 1);
        r->seen[thread] += r->turn;
        atomic_fetch_sub(&r->inside, 1);
        if (i % 3 == 0)
            qs_pool_meet(r->pool, thread, NULL, NULL);
    }
    qs_pool_meet(r->pool, thread, serial, r);
}

/* Turns 1 … ROUNDS, seen by every thread in each of the runs. */
static void check(int threads, int runs)
{
    rounds r = {0};
    cr_assert_eq(qs_pool_open(threads, &r.pool, NULL), QS_OK);
    cr_assert_eq(qs_pool_threads(r.pool), threads);
    for (int k = 0; k < runs; k++) {
        r.turn = 0;
        qs_pool_run(r.pool, run, &r);
        cr_expect_eq(r.turn, ROUNDS + 1);
        cr_expect_eq(r.sum, (k + 1L) * threads * ROUNDS * (ROUNDS + 1) / 2);
    }
    for (int i = 0; i < threads; i++)
        cr_expect_eq(r.ran[i], runs, "thread %d of %d", i, threads);
    cr_expect_eq(atomic_load(&r.intruders), 0, "%d threads", threads);
    qs_pool_close(r.pool);
}

Test(pool, one_thread)
{
    check(1, 3);
}

Test(pool, two_threads)
{
    check(2, 3);
}

Test(pool, more_threads_than_this_machine_may_have)
{
    check(3, 2);
    check(4, 2);
}

Test(pool, opened_and_closed_without_a_run)
{
    qs_pool *pool;
    for (int i = 0; i < 50; i++) {
        cr_assert_eq(qs_pool_open(1 + i % MOST, &pool, NULL), QS_OK);
        qs_pool_close(pool);
    }
    qs_pool_close(NULL);
}

Test(pool, there_is_at_least_one_processor)
{
    cr_expect(qs_cpu_threads() >= 1);
    cr_expect(qs_cpu_name() != NULL);
}
