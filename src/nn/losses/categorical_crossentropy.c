/* SPDX-License-Identifier: MIT */
/* categorical_crossentropy.c - one class out of several, one-hot labels. */
#include "nn/attr.h"
#include "nn/loss.h"

static const qs_attr attrs[] = {
    QS_BOOL_ATTR("from_logits", "false", "predictions are logits, not probabilities"),
    QS_NUMBER_ATTR("label_smoothing", "0", 0, 1, "share of each label spread over all classes"),
    QS_FIXED_ATTR("axis", "-1"),
    QS_ATTRS_END,
};

const qs_loss_kind qs_loss_categorical_crossentropy = {
    .kind = {"categorical_crossentropy", "CategoricalCrossentropy", NULL, attrs,
             "one class out of several, one-hot labels", NULL},
    .value = QS_LOSS_categorical_crossentropy,
    .logits = QS_LOSS_categorical_crossentropy_logits,
    .fuses = "softmax",
    .accuracy = "categorical_accuracy",
};
