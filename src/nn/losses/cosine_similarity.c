/* SPDX-License-Identifier: MIT */
/* cosine_similarity.c - minus the cosine between target and prediction. */
#include "nn/attr.h"
#include "nn/loss.h"

static const qs_attr attrs[] = {
    QS_FIXED_ATTR("axis", "-1"),
    QS_ATTRS_END,
};

const qs_loss_kind qs_loss_cosine_similarity = {
    .kind = {"cosine_similarity", "CosineSimilarity", NULL, attrs,
             "minus the cosine between target and prediction", NULL},
    .value = QS_LOSS_cosine_similarity,
    .logits = QS_LOSS_NONE,
    .accuracy = "categorical_accuracy",
};
