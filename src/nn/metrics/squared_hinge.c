/* SPDX-License-Identifier: MIT */
/* squared_hinge.c - the loss of that name. */
#include "nn/attr.h"
#include "nn/metric.h"

static const qs_attr attrs[] = {
    QS_NAME_ATTR("squared_hinge"),
    QS_ATTRS_END,
};

const qs_metric_kind qs_metric_squared_hinge = {
    .kind = {"squared_hinge", "SquaredHinge", NULL, attrs, "the loss of that name", NULL},
    .add = QS_METRIC_squared_hinge,
    .wants_zero_one = true,
};
