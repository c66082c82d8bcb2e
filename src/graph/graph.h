/* SPDX-License-Identifier: MIT */
/* graph.h - building a program: layers append forward calls, gradients follow by themselves. Private.
 *
 * qs_graph_open → layers' emit() → loss and metrics → qs_graph_differentiate → qs_graph_close, which
 * orders the sections and places the tensors.
 */
#ifndef QS_GRAPH_GRAPH_H
#define QS_GRAPH_GRAPH_H

#include "graph/program.h"
#include "kernels/constraint.h"

typedef struct qs_graph qs_graph;

/* How the whole program is to be; ids are places in kernels' .def files. */
typedef struct qs_graph_options {
    size_t max_batch;
    int optim, slots;
    float clip_value, clip_norm, global_clip_norm; /* 0: none */
    bool keep_gradients; /* all of them, and no update: for looking at gradients */
    bool train;          /* with backward and update sections */
} qs_graph_options;

qs_status qs_graph_open(const qs_graph_options *options, qs_graph **out, qs_error *err);
void qs_graph_free(qs_graph *graph); /* NULL is fine; after close it is empty */

/* New tensors and parameters. Failures of memory are remembered and reported by qs_graph_close. */
int qs_graph_activation(qs_graph *graph, size_t features);
int qs_graph_packed(qs_graph *graph, size_t features);
int qs_graph_fixed(qs_graph *graph, size_t floats);
int qs_graph_constant(qs_graph *graph, const float *data, size_t n); /* fixed, with contents */
int qs_graph_param(qs_graph *graph, const qs_param *param); /* offset and floats are filled in */

size_t qs_graph_features(const qs_graph *graph, int tensor);
bool qs_graph_trains(const qs_graph *graph);

/* Append a call to a section: everything absent, modes: train, and for FORWARD all of them. Fill it
 * in at once; the pointer is good until the next append. Never NULL. */
qs_call *qs_graph_call(qs_graph *graph, qs_op op, qs_section section, int layer);

/* The gradient of the loss with respect to tensor: what the backward pass knows of it so far;
 * QS_NO_TENSOR where nothing needs it. */
void qs_graph_set_grad(qs_graph *graph, int tensor, int grad);
int qs_graph_grad(const qs_graph *graph, int tensor);

/* Whether anything before `tensor` has parameters to train: else its gradient is not needed. */
bool qs_graph_wants_grad(const qs_graph *graph, int tensor);

/* The forward calls so far, good until the next append, and how many; removing one moves the rest. */
size_t qs_graph_forward(qs_graph *graph, qs_call **calls);
void qs_graph_remove(qs_graph *graph, size_t index);

/* The last call of a section so far, good until the next append; NULL: none. */
qs_call *qs_graph_last(qs_graph *graph, qs_section section);

/* The last forward call that writes `tensor`, good until the next append; NULL: none. */
qs_call *qs_graph_producer(const qs_graph *graph, int tensor);

/* Whether a penalty on `tensor` was appended. */
bool qs_graph_has_activity(const qs_graph *graph, int tensor);

/* Append the penalties of all parameters that have one, to run before everything else. */
void qs_graph_penalties(qs_graph *graph);

/* Room for `sums` partial sums of a call; sets call->sum. */
void qs_graph_sums(qs_graph *graph, qs_call *call, int sums);

/* Make one call of neighbours that can be: dropout after dense. Before differentiating. */
void qs_graph_fuse(qs_graph *graph);

/* Append backward and update calls for every forward call, last first. */
void qs_graph_differentiate(qs_graph *graph);

/* Order, place, hand over. */
qs_status qs_graph_close(qs_graph *graph, qs_program **out, qs_error *err);

/* Append what the gradient of forward call `call` needs, if anything. */
void qs_op_gradient(qs_graph *graph, const qs_call *call);

qs_axis qs_op_axis(qs_op op);
const char *qs_op_name(qs_op op);

#endif
