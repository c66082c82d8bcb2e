/* SPDX-License-Identifier: MIT */
/* hinge.c - the loss of that name. */
#include "nn/attr.h"
#include "nn/metric.h"

static const qs_attr attrs[] = {
    QS_NAME_ATTR("hinge"),
    QS_ATTRS_END,
};

const qs_metric_kind qs_metric_hinge = {
    .kind = {"hinge", "Hinge", NULL, attrs, "the loss of that name", NULL},
    .add = QS_METRIC_hinge,
    .wants_zero_one = true,
};
