/* SPDX-License-Identifier: MIT */
/* squared_hinge.c - mean of max(1 - y p, 0) squared, labels -1 and 1 or 0 and 1. */
#include "nn/loss.h"

const qs_loss_kind qs_loss_squared_hinge = {
    .kind = {"squared_hinge", "SquaredHinge", NULL, NULL,
             "mean of max(1 - y p, 0) squared, labels -1 and 1 or 0 and 1", NULL},
    .value = QS_LOSS_squared_hinge,
    .logits = QS_LOSS_NONE,
    .wants_zero_one = true,
    .accuracy = "categorical_accuracy",
};
