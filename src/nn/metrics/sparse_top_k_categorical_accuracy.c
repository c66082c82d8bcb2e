/* SPDX-License-Identifier: MIT */
/* sparse_top_k_categorical_accuracy.c - the same, for labels that are class numbers. */
#include "nn/attr.h"
#include "nn/metric.h"

static const qs_attr attrs[] = {
    QS_INTEGER_ATTR("k", "5", 1, 1e6, "so many best outputs count"),
    QS_FIXED_ATTR("from_sorted_ids", "false"),
    QS_NAME_ATTR("sparse_top_k_categorical_accuracy"),
    QS_ATTRS_END,
};

const qs_metric_kind qs_metric_sparse_top_k_categorical_accuracy = {
    .kind = {"sparse_top_k_categorical_accuracy", "SparseTopKCategoricalAccuracy", NULL, attrs,
             "the same, for labels that are class numbers", "k"},
    .add = QS_METRIC_top_k_categorical_accuracy,
    .maximize = true,
};
