/* SPDX-License-Identifier: MIT */
/* kl_divergence.c - the loss of that name. */
#include "nn/attr.h"
#include "nn/metric.h"

static const qs_attr attrs[] = {
    QS_NAME_ATTR("kl_divergence"),
    QS_ATTRS_END,
};

const qs_metric_kind qs_metric_kl_divergence = {
    .kind = {"kl_divergence", "KLDivergence", "kld|KLD", attrs, "the loss of that name", NULL},
    .add = QS_METRIC_kl_divergence,
};
