/* SPDX-License-Identifier: MIT */
/* sparse_categorical_crossentropy.c - the loss of that name. */
#include "nn/attr.h"
#include "nn/metric.h"

static const qs_attr attrs[] = {
    QS_BOOL_ATTR("from_logits", "false", "predictions are logits, not probabilities"),
    QS_FIXED_ATTR("ignore_class", "null"),
    QS_FIXED_ATTR("axis", "-1"),
    QS_NAME_ATTR("sparse_categorical_crossentropy"),
    QS_ATTRS_END,
};

const qs_metric_kind qs_metric_sparse_categorical_crossentropy = {
    .kind = {"sparse_categorical_crossentropy", "SparseCategoricalCrossentropy", NULL, attrs,
             "the loss of that name", NULL},
    .add = QS_METRIC_sparse_categorical_crossentropy,
};
