/* SPDX-License-Identifier: MIT */
/* emit.h - what layers' emit() is written with. Private. */
#ifndef QS_NN_EMIT_H
#define QS_NN_EMIT_H

#include "graph/graph.h"
#include "nn/model.h"

/* The parameter for the layer's weight NAME ("kernel"), with its penalties and constraint; kept: see
 * qs_param. *out is QS_NO_PARAM where the layer has no such weight. Errors: a regularizer or
 * constraint that cannot be done. */
qs_status qs_emit_param(qs_graph *graph, const qs_model *model, const qs_layer *layer,
                        const char *name, bool kept, int *out, qs_error *err);

/* param where the layer trains it, else QS_NO_PARAM. */
int qs_emit_trained(const qs_layer *layer, int param);

/* Index of the layer, for calls. */
int qs_emit_layer(const qs_model *model, const qs_layer *layer);

/* Append the activation (NULL or linear: nothing) on the last axis of `shape`; returns the output. */
int qs_emit_activation(qs_graph *graph, int layer, const qs_spec *activation, const qs_shape *shape,
                       int in);

/* The kernel id of an elementwise activation whose slope can be made of its output, with its
 * arguments: what a dense call applies itself. -1: none, it needs a call of its own. */
int qs_emit_fusible(const qs_spec *activation, float arg[QS_ARGS]);

/* Append an elementwise activation by kernel id. */
int qs_emit_elementwise(qs_graph *graph, int layer, int id, const float *arg, size_t args, int in);

/* Append softmax over the last axis of `shape`. */
int qs_emit_softmax(qs_graph *graph, int layer, qs_op op, const qs_shape *shape, int in);

/* Append (x - centre) * scale + offset; table [3][channels]: scale, offset, centre. */
int qs_emit_affine(qs_graph *graph, int layer, const float *table, size_t channels, int in);

/* Append the activity penalty of `spec` (NULL: none) on `tensor`. */
void qs_emit_activity(qs_graph *graph, int layer, const qs_spec *spec, int tensor);

/* A call that reads `in` and writes a new tensor of as many features, dim[0] = features. */
qs_call *qs_emit_same(qs_graph *graph, qs_op op, int layer, int in, int *out);

/* What most emit()s end with. */
#define QS_EMIT_ARGS                                                                               \
    qs_graph *graph, const qs_model *model, const qs_layer *layer, int in, int *out, qs_error *err

#endif
