/* SPDX-License-Identifier: MIT */
/* huber.c - squared error near the target, absolute error far from it. */
#include "nn/attr.h"
#include "nn/loss.h"

static const qs_attr attrs[] = {
    QS_NUMBER_ATTR("delta", "1", 0, 1e30, "error at which the square becomes a line"),
    QS_ATTRS_END,
};

const qs_loss_kind qs_loss_huber = {
    .kind = {"huber", "Huber", "huber_loss", attrs,
             "squared error near the target, absolute error far from it", "delta"},
    .value = QS_LOSS_huber,
    .logits = QS_LOSS_NONE,
    .accuracy = "categorical_accuracy",
};
