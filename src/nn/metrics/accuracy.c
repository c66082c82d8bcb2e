/* SPDX-License-Identifier: MIT */
/* accuracy.c - share of samples that are right, chosen by the shape of the output. */
#include "nn/attr.h"
#include "nn/metric.h"

static const qs_attr attrs[] = {
    QS_NUMBER_ATTR("threshold", "0.5", 0.5, 0.5, "of a single output"),
    QS_NAME_ATTR("accuracy"),
    QS_ATTRS_END,
};

const qs_metric_kind qs_metric_accuracy = {
    .kind = {"accuracy", "accuracy", "acc", attrs,
             "share of samples that are right, chosen by the shape of the output", NULL},
    .add = QS_METRIC_categorical_accuracy,
    .maximize = true,
};
