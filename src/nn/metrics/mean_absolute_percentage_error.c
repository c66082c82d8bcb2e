/* SPDX-License-Identifier: MIT */
/* mean_absolute_percentage_error.c - mean of absolute errors in percent of the target. */
#include "nn/attr.h"
#include "nn/metric.h"

static const qs_attr attrs[] = {
    QS_NAME_ATTR("mean_absolute_percentage_error"),
    QS_ATTRS_END,
};

const qs_metric_kind qs_metric_mean_absolute_percentage_error = {
    .kind = {"mean_absolute_percentage_error", "MeanAbsolutePercentageError", "mape|MAPE", attrs,
             "mean of absolute errors in percent of the target", NULL},
    .add = QS_METRIC_mean_absolute_percentage_error,
};
