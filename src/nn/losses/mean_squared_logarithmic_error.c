/* SPDX-License-Identifier: MIT */
/* mean_squared_logarithmic_error.c - mean of squared differences of log(1 + value). */
#include "nn/loss.h"

const qs_loss_kind qs_loss_mean_squared_logarithmic_error = {
    .kind = {"mean_squared_logarithmic_error", "MeanSquaredLogarithmicError", "msle|MSLE", NULL,
             "mean of squared differences of log(1 + value)", NULL},
    .value = QS_LOSS_mean_squared_logarithmic_error,
    .logits = QS_LOSS_NONE,
    .accuracy = "categorical_accuracy",
};
