/* SPDX-License-Identifier: MIT */
/* loss.h - what a loss is: a kind, and one or two kernels. Private. */
#ifndef QS_NN_LOSS_H
#define QS_NN_LOSS_H

#include "kernels/score.h"
#include "nn/spec.h"

typedef struct qs_loss_kind {
    qs_kind kind;
    qs_loss_fn value; /* on what the network gives */
    qs_loss_fn
        logits; /* on what its last softmax or sigmoid was given; NULL: there is no such form */
    const char *fuses;    /* activation whose input `logits` takes: "softmax", "sigmoid"; NULL */
    bool classes;         /* labels are integer classes (sparse_…) */
    const char *accuracy; /* metric that "accuracy" means for several outputs; see metric.h */
} qs_loss_kind;

extern const qs_registry qs_loss_registry;

#endif
