/* SPDX-License-Identifier: MIT */
/* mean_squared_error.c - mean of squared errors. */
#include "nn/attr.h"
#include "nn/metric.h"

static const qs_attr attrs[] = {
    QS_NAME_ATTR("mean_squared_error"),
    QS_ATTRS_END,
};

const qs_metric_kind qs_metric_mean_squared_error = {
    .kind = {"mean_squared_error", "MeanSquaredError", "mse|MSE", attrs, "mean of squared errors",
             NULL},
    .add = QS_METRIC_mean_squared_error,
};
