/* SPDX-License-Identifier: MIT */
/* mean_squared_logarithmic_error.c - mean of squared differences of log(1 + value). */
#include "nn/attr.h"
#include "nn/metric.h"

static const qs_attr attrs[] = {
    QS_NAME_ATTR("mean_squared_logarithmic_error"),
    QS_ATTRS_END,
};

const qs_metric_kind qs_metric_mean_squared_logarithmic_error = {
    .kind = {"mean_squared_logarithmic_error", "MeanSquaredLogarithmicError", "msle|MSLE", attrs,
             "mean of squared differences of log(1 + value)", NULL},
    .add = QS_METRIC_mean_squared_logarithmic_error,
};
