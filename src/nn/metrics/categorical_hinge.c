/* SPDX-License-Identifier: MIT */
/* categorical_hinge.c - the loss of that name. */
#include "nn/attr.h"
#include "nn/metric.h"

static const qs_attr attrs[] = {
    QS_NAME_ATTR("categorical_hinge"),
    QS_ATTRS_END,
};

const qs_metric_kind qs_metric_categorical_hinge = {
    .kind = {"categorical_hinge", "CategoricalHinge", NULL, attrs, "the loss of that name", NULL},
    .add = QS_METRIC_categorical_hinge,
};
