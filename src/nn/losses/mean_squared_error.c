/* SPDX-License-Identifier: MIT */
/* mean_squared_error.c - mean of squared errors. */
#include "nn/loss.h"

const qs_loss_kind qs_loss_mean_squared_error = {
    .kind = {"mean_squared_error", "MeanSquaredError", "mse|MSE", NULL, "mean of squared errors",
             NULL},
    .value = QS_LOSS_mean_squared_error,
    .logits = QS_LOSS_NONE,
    .accuracy = "categorical_accuracy",
};
