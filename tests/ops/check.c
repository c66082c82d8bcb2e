/* SPDX-License-Identifier: MIT */
/* check.c - every kernel of every rung against `ref`, on random data of odd sizes. */
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "cases.h"
#include "ops_test.h"

enum { PROBLEMS = 16 };

static const qs_kernel_tables *ref(void)
{
    const qs_kernel_tables *const *t = qs_kernels_usable();
    while (t[1])
        t++;
    return *t;
}

typedef struct check {
    const op_case *c;
    const qs_kernel_tables *tables;
    uint64_t key;
    bool good;
    char text[RIG_TEXT];
} check;

/* `ref` itself must leave everything sound; the others must match it, too. */
static void run_problem(void *self)
{
    check *k = self;
    rig r;
    char why[RIG_TEXT];
    rig_open(&r, k->c->op, k->c->kind, k->key, false, k->c->setup);
    rig_run(&r, ref());
    k->good = rig_sound(&r, why);
    if (k->good && k->tables != ref()) {
        rig_keep(&r);
        rig_run(&r, k->tables);
        k->good = rig_sound(&r, why) && rig_matches(&r, why);
    }
    if (!k->good)
        memcpy(k->text, why, sizeof why);
    rig_close(&r);
}

static bool run_case(check *k, uint64_t seed)
{
    uint64_t name = 0;
    for (const char *p = k->c->name; *p; p++)
        name = name * 31 + (unsigned char)*p;
    for (uint64_t i = 0; i < PROBLEMS; i++) {
        k->key = qs_key(seed, name, i);
        if (ops_crashes(run_problem, k, k->text, sizeof k->text) || !k->good)
            return false;
    }
    return true;
}

static bool has_case(qs_op op)
{
    for (size_t i = 0; i < op_case_count; i++)
        if (op_cases[i].op == op)
            return true;
    return false;
}

static void check_rung(ops_options *o, const qs_kernel_tables *tables)
{
    for (size_t i = 0; i < op_case_count; i++) {
        check k = {.c = &op_cases[i], .tables = tables};
        if (!ops_wanted(o, k.c->name))
            continue;
        const bool good = run_case(&k, o->seed);
        ops_result(o, good, "check", k.c->name, tables->name, k.text);
    }
}

static int wanted_cases(const ops_options *o)
{
    int count = 0;
    for (size_t i = 0; i < op_case_count; i++)
        count += ops_wanted(o, op_cases[i].name);
    return count;
}

static int list_cases(const ops_options *o)
{
    for (size_t i = 0; i < op_case_count; i++)
        if (ops_wanted(o, op_cases[i].name))
            printf("%s\n", op_cases[i].name);
    return 0;
}

/* From the reference upwards. */
int ops_check(ops_options *o)
{
    const qs_kernel_tables *const *usable = qs_kernels_usable();
    int rungs = 0;
    if (o->list)
        return list_cases(o);
    while (usable[rungs])
        rungs++;
    printf("# seed %llu, %d problems each\n1..%d\n", (unsigned long long)o->seed, PROBLEMS,
           rungs * wanted_cases(o) + (o->test ? 0 : QS_OPS));
    for (int op = 0; op < QS_OPS && !o->test; op++)
        ops_result(o, has_case((qs_op)op), "there is a case of", op_name((qs_op)op), "",
                   "add one to tests/ops/cases.c");
    for (int k = rungs; k > 0; k--)
        check_rung(o, usable[k - 1]);
    return o->failed ? 1 : 0;
}

int ops_support(ops_options *o)
{
    const qs_kernel_tables *const *usable = qs_kernels_usable();
    printf("%-20s", "op");
    for (int k = 0; usable[k]; k++)
        printf(" %-7s", usable[k]->name);
    printf("\n");
    for (int op = 0; op < QS_OPS; op++) {
        if (!ops_wanted(o, op_name((qs_op)op)))
            continue;
        printf("%-20s", op_name((qs_op)op));
        for (int k = 0; usable[k]; k++)
            printf(" %-7s", usable[k]->op[op] ? "yes" : "-");
        printf("\n");
    }
    return 0;
}
