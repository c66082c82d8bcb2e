/* SPDX-License-Identifier: MIT */
/* ops_test.h - what the modes share: options, and one line of TAP for each result. */
#ifndef QS_TESTS_OPS_OPS_TEST_H
#define QS_TESTS_OPS_OPS_TEST_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ops_options {
    bool list;
    const char *test; /* NULL: all */
    uint64_t seed;
    int count, failed;
} ops_options;

bool ops_wanted(const ops_options *o, const char *name);
void ops_result(ops_options *o, bool good, const char *mode, const char *name, const char *rung,
                const char *why);

/* The modes; each returns what the program returns. */
int ops_check(ops_options *o);
int ops_grad(ops_options *o);
int ops_step(ops_options *o);
int ops_perf(ops_options *o);
int ops_support(ops_options *o);

/* Whether a crash (bad address, illegal instruction, arithmetic trap) ended run(self); text says
 * which. */
bool ops_crashes(void (*run)(void *self), void *self, char *text, unsigned long bytes);

#endif
