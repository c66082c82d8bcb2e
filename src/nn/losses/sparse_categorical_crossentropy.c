/* SPDX-License-Identifier: MIT */
/* sparse_categorical_crossentropy.c - one class out of several, labels are class numbers. */
#include "nn/attr.h"
#include "nn/loss.h"

static const qs_attr attrs[] = {
    QS_BOOL_ATTR("from_logits", "false", "predictions are logits, not probabilities"),
    QS_FIXED_ATTR("ignore_class", "null"),
    QS_ATTRS_END,
};

const qs_loss_kind qs_loss_sparse_categorical_crossentropy = {
    .kind = {"sparse_categorical_crossentropy", "SparseCategoricalCrossentropy", NULL, attrs,
             "one class out of several, labels are class numbers", NULL},
    .value = QS_LOSS_sparse_categorical_crossentropy,
    .logits = QS_LOSS_sparse_categorical_crossentropy_logits,
    .fuses = "softmax",
    .classes = true,
    .accuracy = "sparse_categorical_accuracy",
};
