/* SPDX-License-Identifier: MIT */
/* checkpoint.c - the state of a run between two steps, as bytes and back, bit exact. */
#include "train/checkpoint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "train/pack.h"
#include "train/state_json.h"

enum { FIXED_ITEMS = 3, ITEM_NAME = QS_NAME + 32, MOST_UNKNOWN = 1 << 28 };

size_t qs_model_elements(const qs_model *model)
{
    size_t n = 0;
    for (int i = 0; i < model->weights; i++)
        n += qs_shape_count(&model->weight[i].shape);
    return n;
}

void qs_model_keep(const qs_model *model, float *kept)
{
    for (int i = 0; i < model->weights; i++) {
        const size_t n = qs_shape_count(&model->weight[i].shape);
        memcpy(kept, model->weight[i].data, n * sizeof *kept);
        kept += n;
    }
}

void qs_model_restore(qs_model *model, const float *kept)
{
    for (int i = 0; i < model->weights; i++) {
        const size_t n = qs_shape_count(&model->weight[i].shape);
        memcpy(model->weight[i].data, kept, n * sizeof *kept);
        kept += n;
    }
}

void qs_run_state_free(qs_run_state *state)
{
    qs_history_free(&state->history);
    qs_free(state->step_loss);
    qs_free(state->kept);
    *state = (qs_run_state){0};
}

qs_status qs_run_state_room(qs_run_state *state, size_t steps, qs_error *err)
{
    if (steps <= state->step_room && state->step_loss)
        return QS_OK;
    const size_t room = steps + steps / 2 + 1;
    double *loss = qs_realloc(state->step_loss, room * sizeof *loss);
    if (!loss)
        return qs_fail_memory(err, (double)(room * sizeof *loss), "the losses of all steps");
    for (size_t i = state->step_room; i < room; i++)
        loss[i] = NAN;
    state->step_loss = loss;
    state->step_room = room;
    return QS_OK;
}

/* The arrays of a checkpoint while it is written: names and rows live in the arena. */
typedef struct plan {
    qs_arena arena;
    qs_pack_item *item;
    size_t items;
} plan;

static void add(plan *p, const char *name, qs_dtype dtype, const qs_shape *shape, const void *data)
{
    p->item[p->items++] = (qs_pack_item){name, dtype, *shape, data};
}

static bool add_named(plan *p, const char *kind, const qs_weight *weight, const float *data)
{
    char *name = QS_NEW_N(&p->arena, char, ITEM_NAME);
    if (!name)
        return false;
    snprintf(name, ITEM_NAME, "%s/%s", kind, weight->name);
    add(p, name, QS_F32, &weight->shape, data);
    return true;
}

static bool add_weights(plan *p, const qs_model *model)
{
    for (int i = 0; i < model->weights; i++)
        if (!add_named(p, "weight", &model->weight[i], model->weight[i].data))
            return false;
    return true;
}

static bool add_slots(plan *p, const qs_model *model)
{
    const qs_optim_state *optim = &model->optim;
    for (int s = 0; optim->present && s < optim->slots; s++) {
        char kind[32];
        snprintf(kind, sizeof kind, "optimizer/%d", s);
        for (int i = 0; i < model->weights; i++)
            if (optim->slot[s][i] && !add_named(p, kind, &model->weight[i], optim->slot[s][i]))
                return false;
    }
    return true;
}

static bool add_history(plan *p, const qs_history *history)
{
    const qs_shape shape = {2, {history->epochs, qs_history_columns()}};
    double *rows = QS_NEW_N(&p->arena, double, qs_shape_count(&shape) + 1);
    if (!rows)
        return false;
    qs_history_rows(history, rows);
    add(p, "history", QS_F64, &shape, rows);
    return true;
}

static bool add_all(plan *p, const qs_model *model, const qs_run_state *state)
{
    const size_t each = (size_t)model->weights;
    p->item =
        QS_NEW_N(&p->arena, qs_pack_item, FIXED_ITEMS + each * (1 + (size_t)model->optim.slots));
    if (!p->item || !add_history(p, &state->history))
        return false;
    if (state->step_loss)
        add(p, "step_loss", QS_F64, &(qs_shape){1, {state->steps}}, state->step_loss);
    if (state->kept)
        add(p, "kept", QS_F32, &(qs_shape){1, {qs_model_elements(model)}}, state->kept);
    return add_weights(p, model) && add_slots(p, model);
}

qs_status qs_checkpoint_encode(const qs_model *model, const qs_run_state *state, json_t *settings,
                               unsigned char **bytes, size_t *n, qs_error *err)
{
    plan p = {0};
    char *text = qs_state_json_write(state, &model->optim, settings);
    qs_status status;
    if (text && add_all(&p, model, state))
        status = qs_pack_write(p.item, p.items, text, bytes, n, err);
    else
        status = qs_fail_memory(err, 4.0 * (double)qs_model_elements(model), "a checkpoint");
    qs_arena_free(&p.arena);
    qs_free(text);
    return status;
}

static const float *find_named(const qs_pack *pack, const char *kind, const qs_weight *weight)
{
    char name[ITEM_NAME];
    snprintf(name, sizeof name, "%s/%s", kind, weight->name);
    return qs_pack_find(pack, name, QS_F32, qs_shape_count(&weight->shape));
}

/* All arrays of one kind, [weights]; those of weights that are not trained may be NULL. */
static qs_status find_all(const qs_pack *pack, const char *kind, const qs_model *model,
                          const float **found, qs_error *err)
{
    for (int i = 0; i < model->weights; i++) {
        found[i] = find_named(pack, kind, &model->weight[i]);
        if (!found[i] && (!strcmp(kind, "weight") || model->weight[i].trainable))
            return qs_fail(err, QS_E_FORMAT, "array '%s/%s' is missing or has another shape", kind,
                           model->weight[i].name);
    }
    return QS_OK;
}

/* array [1 + slots, weights]: the weights, then slot after slot; all borrowed from the pack. */
static qs_status find_arrays(const qs_pack *pack, const qs_model *model, int slots,
                             const float **array, qs_error *err)
{
    QS_TRY(find_all(pack, "weight", model, array, err));
    for (int s = 0; s < slots; s++) {
        char kind[32];
        snprintf(kind, sizeof kind, "optimizer/%d", s);
        array += model->weights;
        QS_TRY(find_all(pack, kind, model, array, err));
    }
    return QS_OK;
}

static qs_status read_step_loss(const qs_pack *pack, qs_run_state *state, qs_error *err)
{
    const double *loss = qs_pack_find(pack, "step_loss", QS_F64, state->steps);
    if (!loss && state->steps > MOST_UNKNOWN)
        return qs_fail(err, QS_E_ARG,
                       "the losses of its %zu steps were not kept; go on without asking for them",
                       state->steps);
    QS_TRY(qs_run_state_room(state, state->steps, err));
    if (loss)
        memcpy(state->step_loss, loss, state->steps * sizeof *loss);
    return QS_OK;
}

static qs_status read_state(const qs_pack *pack, const qs_checkpoint_like *like,
                            const qs_model *model, qs_run_state *state, qs_error *err)
{
    const size_t elements = qs_model_elements(model);
    const float *kept = qs_pack_find(pack, "kept", QS_F32, elements);
    const size_t count = qs_pack_count(pack, "history", QS_F64);
    const size_t epochs = count / qs_history_columns();
    const double *rows = qs_pack_find(pack, "history", QS_F64, epochs * qs_history_columns());
    if (!rows)
        return qs_fail(err, QS_E_FORMAT, "array 'history' is missing or has another shape");
    QS_TRY(qs_history_read(&state->history, rows, epochs, like->scores, err));
    if (like->step_losses)
        QS_TRY(read_step_loss(pack, state, err));
    if (!kept)
        return QS_OK;
    const size_t bytes = elements * sizeof *kept;
    state->kept = qs_malloc(bytes);
    if (!state->kept)
        return qs_fail_memory(err, (double)bytes, "the best weights");
    memcpy(state->kept, kept, bytes);
    return QS_OK;
}

static void fill(const qs_weight *weight, float *to, const float *from)
{
    if (to && from)
        memcpy(to, from, qs_shape_count(&weight->shape) * sizeof *to);
}

/* Cannot fail but for memory, and then before anything has changed that matters. */
static qs_status fill_model(qs_model *model, const float *const *array, const qs_optim_state *optim,
                            qs_error *err)
{
    qs_optim_state *to = &model->optim;
    QS_TRY(qs_model_optim_alloc(model, optim->slots, err));
    for (int i = 0; i < model->weights; i++)
        fill(&model->weight[i], model->weight[i].data, *array++);
    for (int s = 0; s < optim->slots; s++)
        for (int i = 0; i < model->weights; i++)
            fill(&model->weight[i], to->slot[s][i], *array++);
    to->present = optim->present;
    to->iterations = optim->iterations;
    to->learning_rate = optim->learning_rate;
    to->scalar = optim->scalar;
    return QS_OK;
}

static qs_status decode(const qs_pack *pack, qs_arena *arena, const qs_checkpoint_like *like,
                        qs_model *model, qs_run_state *state, qs_error *err)
{
    qs_optim_state optim = {0};
    QS_TRY(qs_state_json_read(pack->text, like->settings, state, &optim, err));
    const size_t arrays = (size_t)model->weights * (1 + (size_t)optim.slots);
    const float **array = QS_NEW_N(arena, const float *, arrays + 1);
    if (!array)
        return qs_fail_memory(err, (double)(arrays * sizeof *array), "a checkpoint");
    QS_TRY(find_arrays(pack, model, optim.slots, array, err));
    QS_TRY(read_state(pack, like, model, state, err));
    return fill_model(model, array, &optim, err);
}

qs_status qs_checkpoint_decode(const unsigned char *bytes, size_t n, const qs_checkpoint_like *like,
                               qs_model *model, qs_run_state *state, qs_error *err)
{
    qs_pack pack;
    qs_arena arena = {0};
    qs_run_state made = {0};
    QS_TRY(qs_pack_read(bytes, n, &pack, err));
    const qs_status status = decode(&pack, &arena, like, model, &made, err);
    if (status == QS_OK) {
        qs_run_state_free(state);
        *state = made;
    } else {
        qs_run_state_free(&made);
    }
    qs_arena_free(&arena);
    qs_pack_close(&pack);
    return status;
}
