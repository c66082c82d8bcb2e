/* SPDX-License-Identifier: MIT */
/* root_mean_squared_error.c - root of the mean of squared errors. */
#include <math.h>

#include "nn/attr.h"
#include "nn/metric.h"

static double finish(const double sum[2])
{
    return sqrt(sum[0] / sum[1]);
}

static const qs_attr attrs[] = {
    QS_NAME_ATTR("root_mean_squared_error"),
    QS_ATTRS_END,
};

const qs_metric_kind qs_metric_root_mean_squared_error = {
    .kind = {"root_mean_squared_error", "RootMeanSquaredError", NULL, attrs,
             "root of the mean of squared errors", NULL},
    .add = QS_METRIC_mean_squared_error,
    .finish = finish,
};
