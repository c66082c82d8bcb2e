/* SPDX-License-Identifier: MIT */
/* categorical_hinge.c - best wrong output against the right one, with a margin of 1. */
#include "nn/loss.h"

const qs_loss_kind qs_loss_categorical_hinge = {
    .kind = {"categorical_hinge", "CategoricalHinge", NULL, NULL,
             "best wrong output against the right one, with a margin of 1", NULL},
    .value = QS_LOSS_categorical_hinge,
    .logits = QS_LOSS_NONE,
    .accuracy = "categorical_accuracy",
};
