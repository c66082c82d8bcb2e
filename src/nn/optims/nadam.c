/* SPDX-License-Identifier: MIT */
/* nadam.c - Adam that looks ahead along its momentum. */
#include <math.h>

#include "nn/model.h"
#include "nn/optim.h"

static const qs_attr attrs[] = {
    QS_NUMBER_ATTR("beta_1", "0.9", 0, QS_BELOW_1, "decay of the mean gradient"),
    QS_NUMBER_ATTR("beta_2", "0.999", 0, QS_BELOW_1, "decay of the mean square"),
    QS_NUMBER_ATTR("epsilon", "1e-7", 0, 1, "added to the corrected root"),
    /* The exponent of 0.96 at step t is this times t. Keras 2 had the argument and 0.004; Keras 3 has
     * neither, and its schedule is 1. */
    {"schedule_decay", QS_ATTR_NUMBER, "null", 0, 1e9, QS_ATTR_OWN,
     "speed of the momentum's schedule: null is 1, as in Keras 3; 0.004 as in Keras 2"},
    QS_OPTIM_ATTRS("0.001", "null"),
    QS_ATTRS_END,
};

static const qs_optim_form forms[] = {
    {QS_OPTIM_nadam, 2, {"momentum", "velocity"}},
};

static double schedule_speed(const qs_spec *spec)
{
    const qs_value *speed = qs_spec_value(spec, "schedule_decay");
    return speed->null ? 1 : speed->number;
}

/* The first moment decays with beta_1, not with mu. Betas are rounded to float, as Keras has them. */
static void prepare(const qs_spec *spec, const qs_optim_now *now, float *c)
{
    const double beta_1 = (double)(float)qs_optim_number(spec, "beta_1");
    const double beta_2 = (double)(float)qs_optim_number(spec, "beta_2");
    const double t = (double)now->step, speed = schedule_speed(spec);
    const double mu = beta_1 * (1 - 0.5 * pow(0.96, speed * t));
    const double next = beta_1 * (1 - 0.5 * pow(0.96, speed * (t + 1)));
    const double product = *now->scalar *= mu;
    c[QS_C_LESS_BETA_1] = (float)(1 - beta_1);
    c[QS_C_LESS_BETA_2] = (float)(1 - beta_2);
    c[QS_C_ADAM_EPSILON] = qs_optim_epsilon(spec);
    c[QS_C_OF_M] = (float)(now->learning_rate * next / (1 - product * next));
    c[QS_C_OF_G] = (float)(now->learning_rate * (1 - mu) / (1 - product));
    c[QS_C_CORRECT_V] = (float)(1 / (1 - pow(beta_2, t)));
}

const qs_optim_kind qs_optim_nadam = {
    .kind = {"nadam", "Nadam", NULL, attrs, "Adam that looks ahead along its momentum",
             "learning_rate"},
    .forms = forms,
    .together = 2,
    .scalar = "variable",
    .prepare = prepare,
};
