/* SPDX-License-Identifier: MIT */
/* optim_layout.h - the optimizer's variables in the order that Keras keeps them in. Private. */
#ifndef QS_FORMAT_OPTIM_LAYOUT_H
#define QS_FORMAT_OPTIM_LAYOUT_H

#include "nn/model.h"
#include "nn/optim.h"

typedef enum qs_optim_part {
    QS_PART_ITERATIONS,    /* i64 [] */
    QS_PART_LEARNING_RATE, /* f32 []; not there with a schedule */
    QS_PART_SLOT,          /* f32 [as its weight] */
    QS_PART_SCALAR         /* f32 []; Nadam's product of mu */
} qs_optim_part;

typedef struct qs_optim_variable {
    qs_optim_part part;
    int slot, weight;
    const char *name; /* of the slot, as Keras names it */
} qs_optim_variable;

typedef struct qs_optim_layout {
    qs_arena arena;
    const char *optimizer; /* "nadam" */
    int slots;
    double learning_rate; /* of the optimizer itself */
    qs_optim_variable *variable;
    size_t count;
} qs_optim_layout;

/* For the model's setting "optimizer"; count 0 where there is none. */
qs_status qs_optim_layout_open(const qs_model *model, qs_optim_layout *out, qs_error *err);
void qs_optim_layout_close(qs_optim_layout *layout);

#endif
