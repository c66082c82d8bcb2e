/* SPDX-License-Identifier: MIT */
/* categorical_accuracy.c - share of samples whose largest output is the right one. */
#include "nn/attr.h"
#include "nn/metric.h"

static const qs_attr attrs[] = {
    QS_NAME_ATTR("categorical_accuracy"),
    QS_ATTRS_END,
};

const qs_metric_kind qs_metric_categorical_accuracy = {
    .kind = {"categorical_accuracy", "CategoricalAccuracy", NULL, attrs,
             "share of samples whose largest output is the right one", NULL},
    .add = QS_METRIC_categorical_accuracy,
    .maximize = true,
};
