/* SPDX-License-Identifier: MIT */
/* binary_accuracy.c - share of outputs on the right side of a threshold. */
#include "nn/attr.h"
#include "nn/metric.h"

static const qs_attr attrs[] = {
    QS_NUMBER_ATTR("threshold", "0.5", 0, 1, "above it an output says 1"),
    QS_NAME_ATTR("binary_accuracy"),
    QS_ATTRS_END,
};

const qs_metric_kind qs_metric_binary_accuracy = {
    .kind = {"binary_accuracy", "BinaryAccuracy", NULL, attrs,
             "share of outputs on the right side of a threshold", NULL},
    .add = QS_METRIC_binary_accuracy,
    .maximize = true,
};
