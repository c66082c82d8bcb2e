/* SPDX-License-Identifier: MIT */
/* adamax.c - Adam with the largest gradient instead of the mean square. */
#include <math.h>

#include "nn/optim.h"

static const qs_attr attrs[] = {
    QS_NUMBER_ATTR("beta_1", "0.9", 0, QS_BELOW_1, "decay of the mean gradient"),
    QS_NUMBER_ATTR("beta_2", "0.999", 0, QS_BELOW_1, "decay of the largest gradient"),
    QS_NUMBER_ATTR("epsilon", "1e-7", 0, 1, "added to the largest gradient"),
    QS_OPTIM_ATTRS("0.001", "null"),
    QS_ATTRS_END,
};

static const qs_optim_form forms[] = {
    {QS_OPTIM_adamax, 2, {"momentum", "norm"}},
};

static void prepare(const qs_spec *spec, const qs_optim_now *now, float *c)
{
    const double beta_1 = qs_optim_number(spec, "beta_1");
    const double power = pow((double)(float)beta_1, (double)now->step);
    c[QS_C_RATE] = (float)(now->learning_rate / (1 - power));
    c[QS_C_LESS_BETA_1] = (float)(1 - beta_1);
    c[QS_C_BETA_2] = (float)qs_optim_number(spec, "beta_2");
    c[QS_C_ADAM_EPSILON] = qs_optim_epsilon(spec);
}

const qs_optim_kind qs_optim_adamax = {
    .kind = {"adamax", "Adamax", NULL, attrs,
             "Adam with the largest gradient instead of the mean square", "learning_rate"},
    .forms = forms,
    .together = 2,
    .prepare = prepare,
};
