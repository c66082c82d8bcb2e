/* SPDX-License-Identifier: MIT */
/* cosine_similarity.c - cosine between target and prediction. */
#include "nn/attr.h"
#include "nn/metric.h"

static const qs_attr attrs[] = {
    QS_FIXED_ATTR("axis", "-1"),
    QS_NAME_ATTR("cosine_similarity"),
    QS_ATTRS_END,
};

const qs_metric_kind qs_metric_cosine_similarity = {
    .kind = {"cosine_similarity", "CosineSimilarity", NULL, attrs,
             "cosine between target and prediction", NULL},
    .add = QS_METRIC_cosine_similarity,
    .maximize = true,
};
