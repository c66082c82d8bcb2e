/* SPDX-License-Identifier: MIT */
/* poisson.c - the loss of that name. */
#include "nn/attr.h"
#include "nn/metric.h"

static const qs_attr attrs[] = {
    QS_NAME_ATTR("poisson"),
    QS_ATTRS_END,
};

const qs_metric_kind qs_metric_poisson = {
    .kind = {"poisson", "Poisson", NULL, attrs, "the loss of that name", NULL},
    .add = QS_METRIC_poisson,
};
