/* SPDX-License-Identifier: MIT */
/* snapshot_test.c - what was kept comes back, and so does what was there. */
#include "train/snapshot.h"

#include <criterion/criterion.h>

static qs_model *model_of(void)
{
    const size_t shape[] = {3};
    const qs_spec *spec;
    qs_model *model = NULL;
    cr_assert_eq(qs_model_create(shape, 1, &model, NULL), QS_OK);
    cr_assert_eq(
        qs_spec_parse(&model->arena, &qs_layer_registry, "batch_normalization", &spec, NULL),
        QS_OK);
    cr_assert_eq(qs_model_add_spec(model, spec, NULL, true, NULL), QS_OK);
    cr_assert_eq(qs_model_init(model, 1, NULL), QS_OK);
    cr_assert_eq(qs_model_optim_alloc(model, 2, NULL), QS_OK);
    return model;
}

/* Every number of the model becomes `x`; moving averages have no slots. */
static void fill(qs_model *model, float x)
{
    for (int w = 0; w < model->weights; w++)
        for (size_t i = 0; i < qs_shape_count(&model->weight[w].shape); i++) {
            model->weight[w].data[i] = x;
            for (int s = 0; model->optim.slot[0][w] && s < model->optim.slots; s++)
                model->optim.slot[s][w][i] = x;
        }
    model->optim.iterations = (uint64_t)x;
    model->optim.scalar = model->optim.learning_rate = (double)x;
}

static void check(const qs_model *model, float x)
{
    for (int w = 0; w < model->weights; w++)
        for (size_t i = 0; i < qs_shape_count(&model->weight[w].shape); i++) {
            cr_assert_eq(model->weight[w].data[i], x);
            for (int s = 0; model->optim.slot[0][w] && s < model->optim.slots; s++)
                cr_assert_eq(model->optim.slot[s][w][i], x);
        }
    cr_assert_eq(model->optim.iterations, (uint64_t)x);
    cr_assert_eq(model->optim.scalar, (double)x);
    cr_assert_eq(model->optim.learning_rate, (double)x);
}

Test(snapshot, swaps_there_and_back)
{
    qs_model *model = model_of();
    qs_snapshot snapshot = {0};
    fill(model, 1);
    cr_assert_eq(qs_snapshot_take(&snapshot, model, NULL), QS_OK);
    fill(model, 2);
    cr_assert_eq(qs_snapshot_take(&snapshot, model, NULL), QS_OK);
    fill(model, 3);
    qs_snapshot_swap(&snapshot, model);
    check(model, 2);
    qs_snapshot_swap(&snapshot, model);
    check(model, 3);
    qs_snapshot_free(&snapshot);
    qs_model_close(model);
}
