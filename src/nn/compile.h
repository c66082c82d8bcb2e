/* SPDX-License-Identifier: MIT */
/* compile.h - from a model and what it is trained with to a program. Private. */
#ifndef QS_NN_COMPILE_H
#define QS_NN_COMPILE_H

#include "graph/program.h"
#include "nn/model.h"

typedef struct qs_compile_options {
    const qs_spec *loss;      /* NULL: for predicting only */
    const qs_spec *optimizer; /* NULL: no backward and update sections */
    const qs_spec *metric[QS_MAX_METRICS];
    bool weighted[QS_MAX_METRICS];
    int metrics;
    size_t max_batch;
    bool keep_gradients; /* write them to memory and update nothing */
} qs_compile_options;

/* The model's weights must have data. Errors: a loss that does not fit the output, what the layers
 * cannot do. */
qs_status qs_compile(const qs_model *model, const qs_compile_options *options, qs_program **out,
                     qs_error *err);

#endif
