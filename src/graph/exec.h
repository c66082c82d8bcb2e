/* SPDX-License-Identifier: MIT */
/* exec.h - running a program on the CPU: memory, threads, groups of calls. Private.
 *
 * Calls of one axis that follow one another form a group; threads meet between groups only. In a
 * SLICE group a thread takes its slices of the batch through all calls; in an ITEM group threads take
 * items as they come. What is computed does not depend on who computes it.
 */
#ifndef QS_GRAPH_EXEC_H
#define QS_GRAPH_EXEC_H

#include "base/tap.h"
#include "graph/program.h"

typedef struct qs_exec qs_exec;

/* program is borrowed and must outlive the executor. All memory is taken here, zeroed. */
qs_status qs_exec_open(const qs_program *program, int threads, qs_exec **out, qs_error *err);
void qs_exec_close(qs_exec *exec); /* NULL is fine */

int qs_exec_threads(const qs_exec *exec);
const char *qs_exec_rung(const qs_exec *exec); /* name of the kernels in use */
size_t qs_exec_bytes(const qs_exec *exec);
void qs_exec_set_tap(qs_exec *exec, const qs_tap *tap); /* NULL: no spans; borrowed */

/* A parameter's first float: weights, gradients (NULL unless kept), slot k. */
float *qs_exec_weight(qs_exec *exec, int param);
float *qs_exec_grad(qs_exec *exec, int param);
float *qs_exec_slot(qs_exec *exec, int param, int slot);

/* Tensor of the last step: feature f of sample i. */
float qs_exec_value(const qs_exec *exec, int tensor, size_t f, size_t i);

/* The last step's output of sample i: [outputs] floats. */
void qs_exec_output(const qs_exec *exec, size_t i, float *out);

/* The first call, in order, one of whose outputs was not finite in the last step; -1: none. */
int qs_exec_first_bad(const qs_exec *exec);

/* Steps, one after the other, in one parallel region. Both call-backs come from the calling thread. */
typedef struct qs_loop {
    qs_mode mode;
    /* Fill *step; false ends the loop. step->rows.n must be in [1, max_batch]. */
    bool (*next)(void *self, qs_step *step);
    /* A step is done: sums over its slices, and over its items. */
    void (*done)(void *self, const qs_step *step, const double *slice_sum, const double *item_sum);
    void *self;
} qs_loop;

void qs_exec_run(qs_exec *exec, const qs_loop *loop);

#endif
