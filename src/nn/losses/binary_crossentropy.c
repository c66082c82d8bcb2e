/* SPDX-License-Identifier: MIT */
/* binary_crossentropy.c - yes or no, for each output by itself. */
#include "nn/attr.h"
#include "nn/loss.h"

static const qs_attr attrs[] = {
    QS_BOOL_ATTR("from_logits", "false", "predictions are logits, not probabilities"),
    QS_NUMBER_ATTR("label_smoothing", "0", 0, 1, "pull each label this far towards one half"),
    QS_FIXED_ATTR("axis", "-1"),
    QS_ATTRS_END,
};

const qs_loss_kind qs_loss_binary_crossentropy = {
    .kind = {"binary_crossentropy", "BinaryCrossentropy", "bce|BCE", attrs,
             "yes or no, for each output by itself", NULL},
    .value = QS_LOSS_binary_crossentropy,
    .logits = QS_LOSS_binary_crossentropy_logits,
    .fuses = "sigmoid",
    .accuracy = "categorical_accuracy",
};
