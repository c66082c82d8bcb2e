/* SPDX-License-Identifier: MIT */
/* sgd.c - plain gradient descent, momentum, Nesterov. */
#include "nn/optim.h"

static const qs_attr attrs[] = {
    QS_NUMBER_ATTR("momentum", "0", 0, 1, "share of the last step in the next"),
    QS_BOOL_ATTR("nesterov", "false", "look ahead along the momentum"),
    QS_OPTIM_ATTRS("0.01", "null"),
    QS_ATTRS_END,
};

static const qs_optim_form forms[] = {
    {QS_OPTIM_sgd, 0, {NULL}},
    {QS_OPTIM_sgd_momentum, 1, {"momentum"}},
    {QS_OPTIM_sgd_nesterov, 1, {"momentum"}},
};

static int pick(const qs_spec *spec)
{
    if (qs_optim_number(spec, "momentum") == 0)
        return 0;
    return qs_optim_number(spec, "nesterov") != 0 ? 2 : 1;
}

static void prepare(const qs_spec *spec, const qs_optim_now *now, float *c)
{
    (void)now;
    c[QS_C_MOMENTUM] = (float)qs_optim_number(spec, "momentum");
}

const qs_optim_kind qs_optim_sgd = {
    .kind = {"sgd", "SGD", NULL, attrs, "gradient descent, with momentum if wanted",
             "learning_rate"},
    .forms = forms,
    .pick = pick,
    .prepare = prepare,
};
