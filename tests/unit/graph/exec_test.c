/* SPDX-License-Identifier: MIT */
/* exec_test.c - the same bytes whoever computes them, for batches of every size; nothing allocated. */
#include "models.h"

#include "base/alloc.h"

enum { BATCH = 100 };

/* The weights after full and partial steps; the caller frees them. */
static float *weights_after(const sketch *s, int threads, size_t *count)
{
    static const size_t sizes[] = {BATCH, 37, 1, BATCH, 64, 65};
    qs_model *model = model_of(s);
    qs_trainer *t = trainer_of(model, BATCH, threads, "nadam:learning_rate=0.01");
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        batch b = batch_of(model, sizes[k]);
        step_once(t, &b);
        batch_free(&b);
    }
    cr_assert_eq(qs_trainer_sync(t, NULL), QS_OK);
    *count = 0;
    for (int w = 0; w < model->weights; w++)
        *count += qs_shape_count(&model->weight[w].shape);
    float *all = qs_calloc(*count, sizeof *all), *to = all;
    for (int w = 0; w < model->weights; w++) {
        const size_t n = qs_shape_count(&model->weight[w].shape);
        memcpy(to, model->weight[w].data, n * sizeof *to);
        to += n;
    }
    qs_trainer_close(t);
    qs_model_close(model);
    return all;
}

Test(exec, threads_do_not_change_a_byte)
{
    for (int i = 0; i < SKETCHES; i++) {
        size_t n;
        float *one = weights_after(&sketches[i], 1, &n);
        for (size_t k = 0; k < n; k++)
            cr_assert(isfinite(one[k]), "%s: weight %zu", sketches[i].name, k);
        for (int threads = 2; threads <= 4; threads++) {
            float *more = weights_after(&sketches[i], threads, &n);
            cr_expect(memcmp(one, more, n * sizeof *one) == 0, "%s with %d threads",
                      sketches[i].name, threads);
            qs_free(more);
        }
        qs_free(one);
    }
}

/* What an earlier, larger batch left behind in memory is not seen. */
Test(exec, a_partial_batch_does_not_see_the_full_one_before_it)
{
    for (int i = 0; i < SKETCHES; i++)
        for (size_t n = 1; n < BATCH; n = 2 * n + 5) {
            qs_model *model = model_of(&sketches[i]);
            batch full = batch_of(model, BATCH), part = batch_of(model, n);
            float *fresh = qs_calloc(n * qs_model_outputs(model), sizeof *fresh);
            float *used = qs_calloc(n * qs_model_outputs(model), sizeof *used);
            qs_trainer *t = trainer_of(model, BATCH, 1, "sgd:learning_rate=0");
            cr_assert_eq(qs_trainer_predict(t, &part.xs, fresh, NULL), QS_OK);
            qs_trainer_close(t);
            t = trainer_of(model, BATCH, 2, "sgd:learning_rate=0");
            float *all = qs_calloc(BATCH * qs_model_outputs(model), sizeof *all);
            cr_assert_eq(qs_trainer_predict(t, &full.xs, all, NULL), QS_OK);
            cr_assert_eq(qs_trainer_predict(t, &part.xs, used, NULL), QS_OK);
            cr_expect(memcmp(fresh, used, n * qs_model_outputs(model) * sizeof *used) == 0,
                      "%s, %zu samples", sketches[i].name, n);
            qs_trainer_close(t);
            qs_free(all);
            qs_free(used);
            qs_free(fresh);
            batch_free(&part);
            batch_free(&full);
            qs_model_close(model);
        }
}

/* A step of n samples is the same whether the trainer could take more or not. */
Test(exec, room_for_more_samples_changes_nothing)
{
    for (int i = 0; i < SKETCHES; i++) {
        double loss[2][2];
        for (int k = 0; k < 2; k++) {
            qs_model *model = model_of(&sketches[i]);
            batch b = batch_of(model, 37);
            qs_trainer *t = trainer_of(model, k ? 37 : BATCH, 1, "sgd:learning_rate=0.1");
            loss[k][0] = step_once(t, &b);
            loss[k][1] = step_once(t, &b);
            qs_trainer_close(t);
            batch_free(&b);
            qs_model_close(model);
        }
        cr_expect(memcmp(loss[0], loss[1], sizeof *loss) == 0, "%s", sketches[i].name);
        cr_expect(loss[0][1] != loss[0][0], "%s: a step changes something", sketches[i].name);
    }
}

Test(exec, steps_allocate_nothing)
{
    for (int i = 0; i < SKETCHES; i++) {
        qs_model *model = model_of(&sketches[i]);
        qs_trainer *t = trainer_of(model, BATCH, 2, "adam");
        batch full = batch_of(model, BATCH), part = batch_of(model, 9);
        const size_t calls = qs_alloc_calls();
        for (int k = 0; k < 5; k++) {
            step_once(t, &full);
            step_once(t, &part);
        }
        cr_expect_eq(qs_alloc_calls(), calls, "%s", sketches[i].name);
        batch_free(&part);
        batch_free(&full);
        qs_trainer_close(t);
        qs_model_close(model);
    }
}
