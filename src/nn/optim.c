/* SPDX-License-Identifier: MIT */
/* optim.c - the registry of optimizers, and the constants that all have. */
#include "nn/optim.h"

#include <math.h>
#include <string.h>

#include "nn/model.h"

#define QS_KIND(name) extern const qs_optim_kind qs_optim_##name;
#include "nn/optims.def"
#undef QS_KIND

static const qs_kind *const kinds[] = {
#define QS_KIND(name) &qs_optim_##name.kind,
#include "nn/optims.def"
#undef QS_KIND
    NULL,
};

const qs_registry qs_optim_registry = {"optimizers", "optimizer", "keras.optimizers", kinds};

static const qs_optim_kind *kind_of(const qs_spec *spec)
{
    return (const qs_optim_kind *)(const void *)spec->kind;
}

const qs_optim_form *qs_optim_form_of(const qs_spec *spec)
{
    const qs_optim_kind *kind = kind_of(spec);
    return &kind->forms[kind->pick ? kind->pick(spec) : 0];
}

double qs_optim_slot_start(const qs_spec *spec, int slot)
{
    const qs_optim_kind *kind = kind_of(spec);
    return kind->slot_start ? kind->slot_start(spec, slot) : 0;
}

double qs_optim_number(const qs_spec *spec, const char *name)
{
    return qs_spec_value(spec, name)->number;
}

float qs_optim_epsilon(const qs_spec *spec)
{
    return fmaxf((float)qs_optim_number(spec, "epsilon"), 1e-37f);
}

void qs_optim_prepare(const qs_spec *spec, const qs_optim_now *now, float c[QS_OPTIM_CONSTANTS])
{
    const qs_value *decay = qs_spec_value(spec, "weight_decay");
    memset(c, 0, QS_OPTIM_CONSTANTS * sizeof *c);
    c[QS_C_KEEP] = (float)(1 - (decay->null ? 0 : now->learning_rate * decay->number));
    c[QS_C_RATE] = (float)now->learning_rate;
    if (kind_of(spec)->prepare)
        kind_of(spec)->prepare(spec, now, c);
}
