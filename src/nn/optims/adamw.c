/* SPDX-License-Identifier: MIT */
/* adamw.c - Adam whose weight decay is apart from the gradient. */
#include "nn/optims/adam.h"

static const qs_attr attrs[] = {
    QS_ADAM_ATTRS,
    QS_OPTIM_ATTRS("0.001", "0.004"),
    QS_ATTRS_END,
};

const qs_optim_kind qs_optim_adamw = {
    .kind = {"adamw", "AdamW", "adam_w", attrs, "Adam with weight decay", "learning_rate"},
    .forms = qs_adam_forms,
    .pick = qs_adam_pick,
    .together = 2,
    .prepare = qs_adam_prepare,
};
