/* SPDX-License-Identifier: MIT */
/* top_k_categorical_accuracy.c - share of samples whose class is among the k largest outputs. */
#include "nn/attr.h"
#include "nn/metric.h"

static const qs_attr attrs[] = {
    QS_INTEGER_ATTR("k", "5", 1, 1e6, "so many best outputs count"),
    QS_NAME_ATTR("top_k_categorical_accuracy"),
    QS_ATTRS_END,
};

const qs_metric_kind qs_metric_top_k_categorical_accuracy = {
    .kind = {"top_k_categorical_accuracy", "TopKCategoricalAccuracy", NULL, attrs,
             "share of samples whose class is among the k largest outputs", "k"},
    .add = QS_METRIC_top_k_categorical_accuracy,
    .maximize = true,
};
