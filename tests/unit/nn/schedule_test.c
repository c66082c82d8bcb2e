/* SPDX-License-Identifier: MIT */
/* schedule_test.c - rates against those that Keras gave, and lists that do not fit. */
#include "nn/schedule.h"

#include <math.h>

#include "nn/optim.h"
#include "schedule_table.h"
#include "specs.h"

Test(schedule, rates_are_keras)
{
    for (size_t r = 0; r < sizeof schedule_rows / sizeof *schedule_rows; r++) {
        const struct schedule_row *row = &schedule_rows[r];
        const qs_spec *spec = spec_of(&qs_schedule_registry, row->text);
        const qs_schedule_kind *kind = (const qs_schedule_kind *)(const void *)spec->kind;
        for (size_t i = 0; i < sizeof schedule_steps / sizeof *schedule_steps; i++) {
            const double got = kind->rate(spec, schedule_steps[i]);
            cr_expect(fabs(got - row->rate[i]) <= 2e-6 * fabs(row->rate[i]) + 2e-8,
                      "%s, step %u: %.9g, not %.9g", row->text, schedule_steps[i], got,
                      row->rate[i]);
        }
    }
}

Test(schedule, every_kind_has_a_row)
{
    for (const qs_kind *const *kind = qs_schedule_registry.kinds; *kind; kind++) {
        bool found = false;
        for (size_t r = 0; r < sizeof schedule_rows / sizeof *schedule_rows; r++)
            found |= spec_of(&qs_schedule_registry, schedule_rows[r].text)->kind == *kind;
        cr_expect(found, "%s", (*kind)->name);
    }
}

Test(schedule, a_learning_rate_may_be_one)
{
    const qs_spec *number = spec_of(&qs_optim_registry, "sgd:learning_rate=0.25");
    cr_expect_float_eq(qs_learning_rate(number, 99), 0.25, 0);
    const qs_spec *schedule =
        spec_of(&qs_optim_registry, "sgd:learning_rate=(exponential_decay:initial_learning_rate=8,"
                                    "decay_steps=1,decay_rate=0.5),momentum=0.5");
    cr_expect_float_eq(qs_learning_rate(schedule, 3), 1, 1e-15);
    char *text = qs_spec_text(schedule);
    cr_expect_str_eq(text, "sgd:momentum=0.5,learning_rate=(exponential_decay:initial_learning_rate"
                           "=8,decay_steps=1,decay_rate=0.5)");
    json_t *config = qs_spec_config(schedule);
    const char *name =
        json_string_value(json_object_get(json_object_get(config, "learning_rate"), "class_name"));
    cr_expect_str_eq(name, "ExponentialDecay");
}

Test(schedule, lists_must_fit)
{
    static const char *const bad[] = {
        "piecewise_constant_decay:boundaries=[1,2],values=[1,2]",
        "piecewise_constant_decay:boundaries=[2,1],values=[1,2,3]",
        "piecewise_constant_decay:boundaries=[],values=[1]",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        qs_error err = {0};
        const qs_spec *spec = spec_of(&qs_schedule_registry, bad[i]);
        cr_expect_eq(qs_schedule_check(spec, &err), QS_E_ARG, "%s", bad[i]);
    }
    const qs_spec *good =
        spec_of(&qs_schedule_registry, "piecewise_constant_decay:boundaries=[1],values=[1,2]");
    cr_expect_eq(qs_schedule_check(good, NULL), QS_OK);
}
