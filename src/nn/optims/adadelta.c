/* SPDX-License-Identifier: MIT */
/* adadelta.c - steps scaled by how far past steps went. */
#include "nn/optim.h"

static const qs_attr attrs[] = {
    QS_NUMBER_ATTR("rho", "0.95", 0, 1, "decay of both mean squares"),
    QS_NUMBER_ATTR("epsilon", "1e-7", 0, 1, "added to the mean squares, inside the roots"),
    QS_OPTIM_ATTRS("0.001", "null"),
    QS_ATTRS_END,
};

static const qs_optim_form forms[] = {
    {QS_OPTIM_adadelta, 2, {"accumulated_grad", "accumulated_delta_var"}},
};

static void prepare(const qs_spec *spec, const qs_optim_now *now, float *c)
{
    const double rho = qs_optim_number(spec, "rho");
    (void)now;
    c[QS_C_RHO] = (float)rho;
    c[QS_C_LESS_RHO] = (float)(1 - rho);
    c[QS_C_EPSILON] = qs_optim_epsilon(spec);
}

const qs_optim_kind qs_optim_adadelta = {
    .kind = {"adadelta", "Adadelta", NULL, attrs, "steps scaled by how far past steps went",
             "learning_rate"},
    .forms = forms,
    .together = 2,
    .prepare = prepare,
};
