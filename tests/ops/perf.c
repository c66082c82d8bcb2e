/* SPDX-License-Identifier: MIT */
/* perf.c - time of each kernel on each rung, once all of them give the right numbers. */
#include <stdio.h>
#include <stdlib.h>

#include "base/tap.h"
#include "cases.h"
#include "ops_test.h"

enum { ROUNDS = 31 };

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Seconds that reading the clock twice takes. */
static double clock_cost(void)
{
    double cost = 1;
    for (int i = 0; i < 1000; i++) {
        const double start = qs_now(), took = qs_now() - start;
        cost = took < cost ? took : cost;
    }
    return cost;
}

/* Median over rounds: what is far off does not count. */
static double time_of(const op_case *c, const qs_kernel_tables *tables, uint64_t seed)
{
    rig r;
    double took[ROUNDS];
    rig_open(&r, c->op, c->kind, seed, true, c->setup);
    rig_run(&r, tables);
    for (int i = 0; i < ROUNDS; i++) {
        rig_prepare(&r);
        const double start = qs_now();
        rig_call(&r, tables);
        took[i] = qs_now() - start;
    }
    rig_close(&r);
    qsort(took, ROUNDS, sizeof *took, by_size);
    const double net = took[ROUNDS / 2] - clock_cost();
    return net > 0 ? net : 0;
}

int ops_perf(ops_options *o)
{
    if (ops_check(o) != 0) {
        printf("# not timed: a kernel gives wrong numbers\n");
        return 1;
    }
    for (size_t i = 0; i < op_case_count && !o->list; i++) {
        if (!ops_wanted(o, op_cases[i].name))
            continue;
        for (const qs_kernel_tables *const *t = qs_kernels_usable(); *t; t++)
            printf("%s_%s: %.0f ns\n", op_cases[i].name, (*t)->name,
                   1e9 * time_of(&op_cases[i], *t, o->seed));
    }
    return 0;
}
