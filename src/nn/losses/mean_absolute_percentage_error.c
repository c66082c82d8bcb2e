/* SPDX-License-Identifier: MIT */
/* mean_absolute_percentage_error.c - mean of absolute errors in percent of the target. */
#include "nn/loss.h"

const qs_loss_kind qs_loss_mean_absolute_percentage_error = {
    .kind = {"mean_absolute_percentage_error", "MeanAbsolutePercentageError", "mape|MAPE", NULL,
             "mean of absolute errors in percent of the target", NULL},
    .value = QS_LOSS_mean_absolute_percentage_error,
    .logits = QS_LOSS_NONE,
    .accuracy = "categorical_accuracy",
};
