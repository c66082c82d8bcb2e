/* SPDX-License-Identifier: MIT */
/* rmsprop.c - steps divided by a running root mean square. */
#include "nn/optim.h"

static const qs_attr attrs[] = {
    QS_NUMBER_ATTR("rho", "0.9", 0, 1, "decay of the mean square"),
    QS_NUMBER_ATTR("momentum", "0", 0, 1, "share of the last step in the next"),
    QS_NUMBER_ATTR("epsilon", "1e-7", 0, 1, "added to the mean square, inside the root"),
    QS_BOOL_ATTR("centered", "false", "subtract the square of the mean: a variance"),
    QS_OPTIM_ATTRS("0.001", "null"),
    QS_ATTRS_END,
};

static const qs_optim_form forms[] = {
    {QS_OPTIM_rmsprop, 1, {"velocity"}},
    {QS_OPTIM_rmsprop_momentum, 2, {"velocity", "momentum"}},
    {QS_OPTIM_rmsprop_centered, 2, {"velocity", "average_gradient"}},
    {QS_OPTIM_rmsprop_momentum_centered, 3, {"velocity", "momentum", "average_gradient"}},
};

static int pick(const qs_spec *spec)
{
    const int momentum = qs_optim_number(spec, "momentum") > 0;
    return momentum + (qs_optim_number(spec, "centered") != 0 ? 2 : 0);
}

static void prepare(const qs_spec *spec, const qs_optim_now *now, float *c)
{
    const double rho = qs_optim_number(spec, "rho");
    (void)now;
    c[QS_C_RHO] = (float)rho;
    c[QS_C_LESS_RHO] = (float)(1 - rho);
    c[QS_C_EPSILON] = qs_optim_epsilon(spec);
    c[QS_C_RMSPROP_MOMENTUM] = (float)qs_optim_number(spec, "momentum");
}

const qs_optim_kind qs_optim_rmsprop = {
    .kind = {"rmsprop", "RMSprop", "rm_sprop", attrs, "steps divided by a running root mean square",
             "learning_rate"},
    .forms = forms,
    .pick = pick,
    .prepare = prepare,
};
