/* SPDX-License-Identifier: MIT */
/* optim_layout.c - lists an optimizer's variables as Keras 3 makes them. */
#include "format/optim_layout.h"

#include <string.h>

#include "base/number.h"

static bool has_schedule(const qs_model *model, const qs_spec *spec)
{
    const char *rate = qs_model_setting(model, "learning_rate");
    double number;
    if (rate)
        return !qs_number_parse(rate, strlen(rate), &number);
    return qs_spec_value(spec, "learning_rate")->spec != NULL;
}

static void add(qs_optim_layout *layout, qs_optim_part part, int slot, int weight, const char *name)
{
    layout->variable[layout->count++] = (qs_optim_variable){part, slot, weight, name};
}

/* Slots [first, first + n) weight by weight. */
static void add_slots(qs_optim_layout *layout, const qs_model *model, const qs_optim_form *form,
                      int first, int n)
{
    for (int i = 0; i < model->weights; i++)
        for (int slot = first; slot < first + n && model->weight[i].trainable; slot++)
            add(layout, QS_PART_SLOT, slot, i, form->slot_name[slot]);
}

static void list(qs_optim_layout *layout, const qs_model *model, const qs_spec *spec)
{
    const qs_optim_kind *kind = (const qs_optim_kind *)(const void *)spec->kind;
    const qs_optim_form *form = qs_optim_form_of(spec);
    add(layout, QS_PART_ITERATIONS, 0, 0, "iteration");
    if (!has_schedule(model, spec))
        add(layout, QS_PART_LEARNING_RATE, 0, 0, "learning_rate");
    const int together = kind->together < form->slots ? kind->together : form->slots;
    add_slots(layout, model, form, 0, together);
    for (int slot = together; slot < form->slots; slot++)
        add_slots(layout, model, form, slot, 1);
    if (kind->scalar)
        add(layout, QS_PART_SCALAR, 0, 0, kind->scalar);
}

qs_status qs_optim_layout_open(const qs_model *model, qs_optim_layout *out, qs_error *err)
{
    const char *text = qs_model_setting(model, "optimizer");
    qs_optim_layout layout = {.arena = {.block_bytes = 4096}};
    if (!text) {
        *out = layout;
        return QS_OK;
    }
    const qs_spec *spec = NULL;
    qs_status status = qs_spec_parse(&layout.arena, &qs_optim_registry, text, &spec, err);
    if (status == QS_OK && spec) {
        const size_t most = 3 + (size_t)model->weights * QS_OPTIM_SLOTS;
        layout.variable = QS_NEW_N(&layout.arena, qs_optim_variable, most);
        if (!layout.variable)
            status = qs_fail_memory(err, (double)most, "a list of the optimizer's variables");
    }
    if (status != QS_OK) {
        qs_arena_free(&layout.arena);
        return status;
    }
    if (spec) {
        layout.optimizer = spec->kind->name;
        layout.slots = qs_optim_form_of(spec)->slots;
        layout.learning_rate = qs_spec_value(spec, "learning_rate")->number;
        list(&layout, model, spec);
    }
    *out = layout;
    return QS_OK;
}

void qs_optim_layout_close(qs_optim_layout *layout)
{
    qs_arena_free(&layout->arena);
}
