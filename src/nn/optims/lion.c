/* SPDX-License-Identifier: MIT */
/* lion.c - steps of one size along the sign of the momentum. */
#include "nn/optim.h"

static const qs_attr attrs[] = {
    QS_NUMBER_ATTR("beta_1", "0.9", 0, QS_BELOW_1, "decay of the momentum in the step"),
    QS_NUMBER_ATTR("beta_2", "0.99", 0, QS_BELOW_1, "decay of the momentum that is kept"),
    QS_OPTIM_ATTRS("0.001", "null"),
    QS_ATTRS_END,
};

static const qs_optim_form forms[] = {
    {QS_OPTIM_lion, 1, {"momentum"}},
};

static void prepare(const qs_spec *spec, const qs_optim_now *now, float *c)
{
    const double beta_1 = qs_optim_number(spec, "beta_1"), beta_2 = qs_optim_number(spec, "beta_2");
    (void)now;
    c[QS_C_LION_BETA_1] = (float)beta_1;
    c[QS_C_LION_LESS_1] = (float)(1 - beta_1);
    c[QS_C_LION_BETA_2] = (float)beta_2;
    c[QS_C_LION_LESS_2] = (float)(1 - beta_2);
}

const qs_optim_kind qs_optim_lion = {
    .kind = {"lion", "Lion", NULL, attrs, "steps of one size along the sign of the momentum",
             "learning_rate"},
    .forms = forms,
    .prepare = prepare,
};
