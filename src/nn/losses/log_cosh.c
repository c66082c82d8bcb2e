/* SPDX-License-Identifier: MIT */
/* log_cosh.c - mean of log(cosh(error)). */
#include "nn/loss.h"

const qs_loss_kind qs_loss_log_cosh = {
    .kind = {"log_cosh", "LogCosh", "logcosh", NULL, "mean of log(cosh(error))", NULL},
    .value = QS_LOSS_log_cosh,
    .logits = QS_LOSS_NONE,
    .accuracy = "categorical_accuracy",
};
