/* SPDX-License-Identifier: MIT */
/* binary_crossentropy.c - the loss of that name. */
#include "nn/attr.h"
#include "nn/metric.h"

static const qs_attr attrs[] = {
    QS_BOOL_ATTR("from_logits", "false", "predictions are logits, not probabilities"),
    QS_NUMBER_ATTR("label_smoothing", "0", 0, 1, "pull each label this far towards one half"),
    QS_NAME_ATTR("binary_crossentropy"),
    QS_ATTRS_END,
};

const qs_metric_kind qs_metric_binary_crossentropy = {
    .kind = {"binary_crossentropy", "BinaryCrossentropy", "bce|BCE", attrs, "the loss of that name",
             NULL},
    .add = QS_METRIC_binary_crossentropy,
};
