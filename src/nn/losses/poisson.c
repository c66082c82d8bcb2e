/* SPDX-License-Identifier: MIT */
/* poisson.c - counts: mean of p - y log p. */
#include "nn/loss.h"

const qs_loss_kind qs_loss_poisson = {
    .kind = {"poisson", "Poisson", NULL, NULL, "counts: mean of p - y log p", NULL},
    .value = QS_LOSS_poisson,
    .logits = QS_LOSS_NONE,
    .accuracy = "categorical_accuracy",
};
