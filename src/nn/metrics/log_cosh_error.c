/* SPDX-License-Identifier: MIT */
/* log_cosh_error.c - mean of log(cosh(error)). */
#include "nn/attr.h"
#include "nn/metric.h"

static const qs_attr attrs[] = {
    QS_NAME_ATTR("logcosh"),
    QS_ATTRS_END,
};

const qs_metric_kind qs_metric_log_cosh_error = {
    .kind = {"log_cosh_error", "LogCoshError", "logcosh|log_cosh", attrs,
             "mean of log(cosh(error))", NULL},
    .add = QS_METRIC_log_cosh,
};
