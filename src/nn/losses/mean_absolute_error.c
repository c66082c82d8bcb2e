/* SPDX-License-Identifier: MIT */
/* mean_absolute_error.c - mean of absolute errors. */
#include "nn/loss.h"

const qs_loss_kind qs_loss_mean_absolute_error = {
    .kind = {"mean_absolute_error", "MeanAbsoluteError", "mae|MAE", NULL, "mean of absolute errors",
             NULL},
    .value = QS_LOSS_mean_absolute_error,
    .logits = QS_LOSS_NONE,
    .accuracy = "categorical_accuracy",
};
