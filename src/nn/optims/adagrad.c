/* SPDX-License-Identifier: MIT */
/* adagrad.c - steps divided by the root of all squares so far. */
#include "nn/optim.h"

static const qs_attr attrs[] = {
    QS_NUMBER_ATTR("initial_accumulator_value", "0.1", 0, 1e30, "where the sum of squares starts"),
    QS_NUMBER_ATTR("epsilon", "1e-7", 0, 1, "added to the sum, inside the root"),
    QS_OPTIM_ATTRS("0.001", "null"),
    QS_ATTRS_END,
};

static const qs_optim_form forms[] = {
    {QS_OPTIM_adagrad, 1, {"accumulator"}},
};

static double slot_start(const qs_spec *spec, int slot)
{
    (void)slot;
    return qs_optim_number(spec, "initial_accumulator_value");
}

static void prepare(const qs_spec *spec, const qs_optim_now *now, float *c)
{
    (void)now;
    c[QS_C_ADAGRAD_EPSILON] = qs_optim_epsilon(spec);
}

const qs_optim_kind qs_optim_adagrad = {
    .kind = {"adagrad", "Adagrad", NULL, attrs, "steps divided by the root of all squares so far",
             "learning_rate"},
    .forms = forms,
    .slot_start = slot_start,
    .prepare = prepare,
};
