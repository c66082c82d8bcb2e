/* SPDX-License-Identifier: MIT */
/* loss.h - what a loss is: a kind, and one or two kernels. Private. */
#ifndef QS_NN_LOSS_H
#define QS_NN_LOSS_H

#include "kernels/score.h"
#include "nn/spec.h"

/* Keras goes back to the logits whenever the last activation is a softmax or a sigmoid, whichever of
 * them, and whatever from_logits says: then `logits` is the kernel, on that activation's input.
 * Otherwise it is `logits` where from_logits is true, else `value`. Where the last activation is not
 * `fuses`, the kernel's prob is not what the network predicts. */
typedef struct qs_loss_kind {
    qs_kind kind;
    qs_loss_id value;    /* on what the network gives */
    qs_loss_id logits;   /* on the input of a last softmax or sigmoid; QS_LOSS_NONE: no such form */
    const char *fuses;   /* activation that the `prob` of `logits` is: "softmax", "sigmoid"; NULL */
    bool classes;        /* labels are integer classes (sparse_…) */
    bool wants_zero_one; /* kernel looks at qs_loss_args.zero_one */
    const char *accuracy; /* metric that "accuracy" means for several outputs; see metric.h */
} qs_loss_kind;

extern const qs_registry qs_loss_registry;

/* Whether all labels are 0 or 1. Keras decides it batch by batch; labels one-hot or classes: true.
 * One answer for a whole data set is as good when it is true, or when no label is 0. */
bool qs_labels_zero_one(const float *y, size_t n);

/* The numbers of a loss's or metric's arguments, in the order of its table, then zeros. */
void qs_score_args(const qs_spec *spec, float arg[QS_SCORE_ARGS]);

#endif
