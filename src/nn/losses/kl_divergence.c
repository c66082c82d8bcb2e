/* SPDX-License-Identifier: MIT */
/* kl_divergence.c - sum of y log(y / p) of two distributions. */
#include "nn/loss.h"

const qs_loss_kind qs_loss_kl_divergence = {
    .kind = {"kl_divergence", "KLDivergence", "kld|KLD|kullback_leibler_divergence", NULL,
             "sum of y log(y / p) of two distributions", NULL},
    .value = QS_LOSS_kl_divergence,
    .logits = QS_LOSS_NONE,
    .accuracy = "categorical_accuracy",
};
