/* SPDX-License-Identifier: MIT */
/* sparse_categorical_accuracy.c - the same, for labels that are class numbers. */
#include "nn/attr.h"
#include "nn/metric.h"

static const qs_attr attrs[] = {
    QS_NAME_ATTR("sparse_categorical_accuracy"),
    QS_ATTRS_END,
};

const qs_metric_kind qs_metric_sparse_categorical_accuracy = {
    .kind = {"sparse_categorical_accuracy", "SparseCategoricalAccuracy", NULL, attrs,
             "the same, for labels that are class numbers", NULL},
    .add = QS_METRIC_categorical_accuracy,
    .maximize = true,
};
