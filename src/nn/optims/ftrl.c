/* SPDX-License-Identifier: MIT */
/* ftrl.c - follow the regularised leader. */
#include "nn/optim.h"

static const qs_attr attrs[] = {
    QS_FIXED_ATTR("learning_rate_power", "-0.5"),
    QS_NUMBER_ATTR("initial_accumulator_value", "0.1", 0, 1e30, "where the sum of squares starts"),
    QS_NUMBER_ATTR("l1_regularization_strength", "0", 0, 1e30, "penalty on absolute weights"),
    QS_NUMBER_ATTR("l2_regularization_strength", "0", 0, 1e30, "penalty on squared weights"),
    QS_NUMBER_ATTR("l2_shrinkage_regularization_strength", "0", 0, 1e30,
                   "penalty on squared weights, as part of the gradient"),
    QS_NUMBER_ATTR("beta", "0", 0, 1e30, "penalty on squared weights, divided by the rate"),
    QS_OPTIM_ATTRS("0.001", "null"),
    QS_ATTRS_END,
};

static const qs_optim_form forms[] = {
    {QS_OPTIM_ftrl, 2, {"accumulator", "linear"}},
};

static double slot_start(const qs_spec *spec, int slot)
{
    return slot == 0 ? qs_optim_number(spec, "initial_accumulator_value") : 0;
}

static void prepare(const qs_spec *spec, const qs_optim_now *now, float *c)
{
    const double beta = qs_optim_number(spec, "beta");
    const double l2 = qs_optim_number(spec, "l2_regularization_strength");
    c[QS_C_PER_RATE] = (float)(1 / now->learning_rate);
    c[QS_C_L1] = (float)qs_optim_number(spec, "l1_regularization_strength");
    c[QS_C_TWICE_L2] = (float)(2 * (l2 + beta / (2 * now->learning_rate)));
    c[QS_C_TWICE_SHRINK] =
        (float)(2 * qs_optim_number(spec, "l2_shrinkage_regularization_strength"));
}

const qs_optim_kind qs_optim_ftrl = {
    .kind = {"ftrl", "Ftrl", NULL, attrs, "follow the regularised leader: sparse weights",
             "learning_rate"},
    .forms = forms,
    .slot_start = slot_start,
    .together = 2,
    .prepare = prepare,
};
