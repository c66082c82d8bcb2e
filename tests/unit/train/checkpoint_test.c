/* SPDX-License-Identifier: MIT */
/* checkpoint_test.c - the state of a run comes back bit exact, or not at all. */
#include "train/checkpoint.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "train/pack.h"
#include "train/state_json.h"

enum { SLOTS = 2, STEPS = 5, EPOCHS = 3 };

static const qs_scores names = {.metrics = 1, .name = {"accuracy"}};

static void add_dense(qs_model *model, const char *text)
{
    const qs_spec *spec;
    cr_assert_eq(qs_spec_parse(&model->arena, &qs_layer_registry, text, &spec, NULL), QS_OK);
    cr_assert_eq(qs_model_add_spec(model, spec, NULL, true, NULL), QS_OK);
}

static qs_model *model_of(uint64_t seed)
{
    const size_t shape[] = {4};
    qs_model *model = NULL;
    cr_assert_eq(qs_model_create(shape, 1, &model, NULL), QS_OK);
    add_dense(model, "dense:units=3");
    add_dense(model, "dense:units=2");
    cr_assert_eq(qs_model_init(model, seed, NULL), QS_OK);
    return model;
}

/* Numbers that a detour over text would change. */
static float awkward(size_t i)
{
    static const float odd[] = {-0.0f, 1e-45f, 0x1.fffffep-1f, 3.4e38f, 0.1f};
    return odd[i % 5];
}

static void give_optimizer(qs_model *model)
{
    cr_assert_eq(qs_model_optim_alloc(model, SLOTS, NULL), QS_OK);
    qs_optim_state *optim = &model->optim;
    optim->present = true;
    optim->iterations = 1234567890123;
    optim->learning_rate = 0.1 + 0.2;
    optim->scalar = 1.0 / 3;
    for (int s = 0; s < SLOTS; s++)
        for (int w = 0; w < model->weights; w++)
            for (size_t i = 0; i < qs_shape_count(&model->weight[w].shape); i++)
                optim->slot[s][w][i] = awkward(i + (size_t)s);
}

static qs_run_state state_of(const qs_model *model)
{
    qs_run_state state = {.steps = STEPS,
                          .sums = {.loss = 0.1 + 0.7, .weight = 3, .metric = {{1.0 / 7, 9}}},
                          .rate = 1e-3 / 3,
                          .train_s = 0.5,
                          .early = {.has_best = true, .best = 2.0 / 3, .wait = 4, .best_epoch = 2},
                          .plateau = {.stopped = true, .cooldown = 7},
                          .has_best = true,
                          .best = 1e-300};
    state.sums.steps = 2;
    state.sums.samples = 64;
    for (size_t i = 0; i < EPOCHS; i++) {
        const qs_epoch epoch = {.epoch = i + 1, .train = {.loss = 1.0 / (double)(i + 3)}};
        cr_assert_eq(qs_history_add(&state.history, &epoch, 0.25, NULL), QS_OK);
    }
    cr_assert_eq(qs_run_state_room(&state, STEPS, NULL), QS_OK);
    for (size_t i = 0; i < STEPS; i++)
        state.step_loss[i] = 0.1 * (double)i;
    state.kept = qs_malloc(qs_model_elements(model) * sizeof(float));
    for (size_t i = 0; i < qs_model_elements(model); i++)
        state.kept[i] = awkward(i);
    return state;
}

/* A checkpoint of a run in the middle of an epoch. */
typedef struct sample {
    qs_model *model;
    qs_run_state state;
    json_t *settings;
    qs_checkpoint_like like;
    unsigned char *bytes;
    size_t n;
} sample;

static sample make(void)
{
    sample s = {.model = model_of(1), .settings = json_pack("{s:s}", "batch", "32")};
    give_optimizer(s.model);
    s.state = state_of(s.model);
    s.like = (qs_checkpoint_like){s.settings, &names, true};
    cr_assert_eq(qs_checkpoint_encode(s.model, &s.state, s.settings, &s.bytes, &s.n, NULL), QS_OK);
    return s;
}

static void drop(sample *s)
{
    qs_model_close(s->model);
    qs_run_state_free(&s->state);
    json_decref(s->settings);
    qs_free(s->bytes);
}

static void same_weights(const qs_model *a, const qs_model *b)
{
    for (int w = 0; w < a->weights; w++) {
        const size_t bytes = qs_shape_count(&a->weight[w].shape) * sizeof(float);
        cr_assert_arr_eq(a->weight[w].data, b->weight[w].data, bytes);
        for (int s = 0; s < a->optim.slots; s++)
            cr_assert_arr_eq(a->optim.slot[s][w], b->optim.slot[s][w], bytes);
    }
}

Test(checkpoint, comes_back_bit_exact)
{
    sample s = make();
    qs_model *model = model_of(2);
    qs_run_state state = {0};
    qs_error err;
    cr_assert_eq(qs_checkpoint_decode(s.bytes, s.n, &s.like, model, &state, &err), QS_OK, "%s",
                 err.text);
    same_weights(s.model, model);
    cr_assert_eq(model->optim.iterations, s.model->optim.iterations);
    cr_assert_eq(model->optim.scalar, 1.0 / 3);
    cr_assert_eq(model->optim.learning_rate, 0.1 + 0.2);
    cr_assert_eq(state.sums.loss, 0.1 + 0.7);
    cr_assert_eq(state.sums.metric[0][0], 1.0 / 7);
    cr_assert_eq(state.early.best, 2.0 / 3);
    cr_assert_eq(state.best, 1e-300);
    cr_assert_eq(state.history.epochs, EPOCHS);
    cr_assert_str_eq(state.history.epoch[2].train.name[0], "accuracy");

    unsigned char *again;
    size_t n;
    cr_assert_eq(qs_checkpoint_encode(model, &state, s.settings, &again, &n, NULL), QS_OK);
    cr_assert_eq(n, s.n);
    cr_assert_arr_eq(again, s.bytes, n, "encoding what was decoded gives other bytes");
    qs_free(again);
    qs_run_state_free(&state);
    qs_model_close(model);
    drop(&s);
}

Test(checkpoint, another_setting_is_refused_by_name)
{
    sample s = make();
    json_t *other = json_pack("{s:s}", "batch", "64");
    const qs_checkpoint_like like = {other, &names, false};
    qs_run_state state = {0};
    qs_error err;
    cr_assert_eq(qs_checkpoint_decode(s.bytes, s.n, &like, s.model, &state, &err), QS_E_ARG);
    cr_assert_not_null(strstr(err.text, "batch is 64 here and 32 in the run"), "%s", err.text);
    json_decref(other);
    drop(&s);
}

Test(checkpoint, another_model_is_refused_and_left_alone)
{
    sample s = make();
    const size_t shape[] = {5};
    qs_model *other = NULL;
    qs_run_state state = {0};
    cr_assert_eq(qs_model_create(shape, 1, &other, NULL), QS_OK);
    add_dense(other, "dense:units=3");
    cr_assert_eq(qs_model_init(other, 1, NULL), QS_OK);
    const float first = other->weight[0].data[0];
    cr_assert_eq(qs_checkpoint_decode(s.bytes, s.n, &s.like, other, &state, NULL), QS_E_FORMAT);
    cr_assert_eq(other->weight[0].data[0], first);
    cr_assert_eq(state.steps, 0);
    qs_model_close(other);
    drop(&s);
}

Test(checkpoint, step_losses_that_were_not_kept_are_unknown)
{
    sample s = make();
    qs_run_state state = {0};
    qs_free(s.state.step_loss);
    s.state.step_loss = NULL;
    qs_free(s.bytes);
    cr_assert_eq(qs_checkpoint_encode(s.model, &s.state, s.settings, &s.bytes, &s.n, NULL), QS_OK);
    cr_assert_eq(qs_checkpoint_decode(s.bytes, s.n, &s.like, s.model, &state, NULL), QS_OK);
    cr_assert(isnan(state.step_loss[STEPS - 1]));
    qs_run_state_free(&state);
    drop(&s);
}

/* Allocations up to where the arrays are read: jansson's reader does not bear to be refused. */
static size_t calls_of_json(const sample *s)
{
    qs_pack pack;
    qs_run_state state = {0};
    qs_optim_state optim = {0};
    const size_t before = qs_alloc_calls();
    cr_assert_eq(qs_pack_read(s->bytes, s->n, &pack, NULL), QS_OK);
    cr_assert_eq(qs_state_json_read(pack.text, s->settings, &state, &optim, NULL), QS_OK);
    const size_t calls = qs_alloc_calls() - before;
    qs_pack_close(&pack);
    return calls;
}

Test(checkpoint, reading_bears_every_refused_allocation)
{
    sample s = make();
    qs_status status = QS_E_NOMEM;
    const size_t first = calls_of_json(&s) + 1;
    size_t nth = first;
    for (; status != QS_OK; nth++) {
        qs_run_state state = {0};
        cr_assert_lt(nth, 10000);
        qs_alloc_refuse_nth(nth);
        status = qs_checkpoint_decode(s.bytes, s.n, &s.like, s.model, &state, NULL);
        qs_alloc_refuse_nth(0);
        cr_assert_eq(status == QS_OK, state.history.epoch != NULL);
        qs_run_state_free(&state);
    }
    cr_assert_gt(nth, first + 5);
    drop(&s);
}

Test(checkpoint, writing_bears_every_refused_allocation)
{
    sample s = make();
    size_t nth = 1, calls = 1;
    for (; nth <= calls; nth++) {
        unsigned char *bytes = NULL;
        size_t n;
        const size_t before = qs_alloc_calls();
        qs_alloc_refuse_nth(nth);
        const qs_status status =
            qs_checkpoint_encode(s.model, &s.state, s.settings, &bytes, &n, NULL);
        qs_alloc_refuse_nth(0);
        calls = qs_alloc_calls() - before;
        cr_assert_eq(status == QS_OK, bytes != NULL);
        cr_assert(!bytes || (n == s.n && !memcmp(bytes, s.bytes, n)), "call %zu", nth);
        qs_free(bytes);
    }
    cr_assert_gt(nth, 20);
    drop(&s);
}
