/* SPDX-License-Identifier: MIT */
/* categorical_crossentropy.c - the loss of that name. */
#include "nn/attr.h"
#include "nn/metric.h"

static const qs_attr attrs[] = {
    QS_BOOL_ATTR("from_logits", "false", "predictions are logits, not probabilities"),
    QS_NUMBER_ATTR("label_smoothing", "0", 0, 1, "share of each label spread over all classes"),
    QS_FIXED_ATTR("axis", "-1"),
    QS_NAME_ATTR("categorical_crossentropy"),
    QS_ATTRS_END,
};

const qs_metric_kind qs_metric_categorical_crossentropy = {
    .kind = {"categorical_crossentropy", "CategoricalCrossentropy", NULL, attrs,
             "the loss of that name", NULL},
    .add = QS_METRIC_categorical_crossentropy,
};
