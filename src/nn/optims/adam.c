/* SPDX-License-Identifier: MIT */
/* adam.c - Adam, AMSGrad and AdamW: moments of the gradient, corrected for their start. */
#include <math.h>

#include "nn/optims/adam.h"

static const qs_attr attrs[] = {
    QS_ADAM_ATTRS,
    QS_OPTIM_ATTRS("0.001", "null"),
    QS_ATTRS_END,
};

const qs_optim_form qs_adam_forms[] = {
    {QS_OPTIM_adam, 2, {"momentum", "velocity"}},
    {QS_OPTIM_adam_amsgrad, 3, {"momentum", "velocity", "velocity_hat"}},
};

int qs_adam_pick(const qs_spec *spec)
{
    return qs_optim_number(spec, "amsgrad") != 0;
}

/* Keras takes the powers from betas rounded to float, the factors from the exact ones. */
void qs_adam_prepare(const qs_spec *spec, const qs_optim_now *now, float *c)
{
    const double beta_1 = qs_optim_number(spec, "beta_1"), beta_2 = qs_optim_number(spec, "beta_2");
    const double t = (double)now->step;
    const double power_1 = pow((double)(float)beta_1, t), power_2 = pow((double)(float)beta_2, t);
    c[QS_C_RATE] = (float)(now->learning_rate * sqrt(1 - power_2) / (1 - power_1));
    c[QS_C_LESS_BETA_1] = (float)(1 - beta_1);
    c[QS_C_LESS_BETA_2] = (float)(1 - beta_2);
    c[QS_C_ADAM_EPSILON] = qs_optim_epsilon(spec);
}

const qs_optim_kind qs_optim_adam = {
    .kind = {"adam", "Adam", NULL, attrs, "moments of the gradient, corrected for their start",
             "learning_rate"},
    .forms = qs_adam_forms,
    .pick = qs_adam_pick,
    .together = 2,
    .prepare = qs_adam_prepare,
};
