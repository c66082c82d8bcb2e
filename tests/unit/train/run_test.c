/* SPDX-License-Identifier: MIT */
/* run_test.c - whole runs through the public interface: ends, results, stops, company. */
#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "quickstep/quickstep.h"

enum { ROWS = 100, FEATURES = 6, CLASSES = 3, BATCH = 8, STEPS = 13 };

static const char *const recipe =
    "model:\n"
    "  - input: [6]\n"
    "  - dense: {units: 16, activation: relu}\n"
    "  - dropout: 0.1\n"
    "  - dense: {units: 3, activation: softmax}\n"
    "train: {optimizer: {adam: {learning_rate: 0.01}}, loss: categorical_crossentropy}\n";

/* Everything of one small training. */
typedef struct fixture {
    float x[ROWS][FEATURES];
    int32_t y[ROWS];
    qs_model *model;
    qs_data *all, *train, *valid;
    qs_train_options options;
    qs_error err;
} fixture;

static void fill(fixture *f)
{
    for (int i = 0; i < ROWS; i++) {
        f->y[i] = i * 7 % CLASSES;
        for (int k = 0; k < FEATURES; k++)
            f->x[i][k] = sinf((float)(i * FEATURES + k)) + (float)(k == f->y[i]);
    }
}

static fixture *open_fixture(void)
{
    fixture *f = calloc(1, sizeof *f);
    fill(f);
    const qs_array x = {f->x, QS_F32, 2, {ROWS, FEATURES}}, y = {f->y, QS_I32, 1, {ROWS}};
    f->options = (qs_train_options)QS_TRAIN_OPTIONS;
    f->options.batch = BATCH;
    f->options.epochs = 4;
    f->options.threads = 1;
    cr_assert_eq(qs_model_parse(recipe, strlen(recipe), &f->model, &f->err), QS_OK, "%s",
                 f->err.text);
    cr_assert_eq(qs_data_wrap(&x, &y, NULL, NULL, &f->all, &f->err), QS_OK, "%s", f->err.text);
    cr_assert_eq(qs_data_split(f->all, 0.2, &f->train, &f->valid, &f->err), QS_OK);
    return f;
}

static void close_fixture(fixture *f)
{
    qs_data_close(f->train);
    qs_data_close(f->valid);
    qs_data_close(f->all);
    qs_model_close(f->model);
    free(f);
}

static qs_run *open_run(fixture *f, const qs_data *train, const qs_data *valid)
{
    qs_run *run = NULL;
    cr_assert_eq(qs_run_open(f->model, train, valid, NULL, &f->options, &run, &f->err), QS_OK, "%s",
                 f->err.text);
    return run;
}

Test(run, says_what_it_came_to)
{
    fixture *f = open_fixture();
    f->options.step_losses = 1;
    qs_run *run = open_run(f, f->all, NULL);
    qs_result result;
    cr_assert_eq(qs_run_train(run, &result, &f->err), QS_OK, "%s", f->err.text);
    cr_assert_str_eq(result.stop, "epochs");
    cr_assert_eq(result.epochs, 4);
    cr_assert_eq(result.steps_per_epoch, STEPS);
    cr_assert_eq(result.steps, 4 * STEPS);
    cr_assert_eq(result.step_losses, 4 * STEPS);
    cr_assert_lt(result.epoch[3].train.loss, result.epoch[0].train.loss);
    cr_assert_eq(result.epoch[0].train.samples, ROWS);
    cr_assert_str_eq(result.epoch[0].train.name[0], "accuracy");
    cr_assert_not(result.epoch[0].has_valid);
    cr_assert_gt(result.ms_per_step, 0);
    cr_assert_null(result.folder);
    qs_run_close(run);
    close_fixture(f);
}

/* The epoch's loss is the mean of its batches' losses, weighted by their sizes: 12 of 8, one of 4.
 */
Test(run, the_loss_of_an_epoch_weighs_its_short_batch_less)
{
    fixture *f = open_fixture();
    f->options.step_losses = 1;
    qs_run *run = open_run(f, f->all, NULL);
    qs_result result;
    cr_assert_eq(qs_run_train(run, &result, &f->err), QS_OK);
    double sum = 0;
    for (int i = 0; i < STEPS; i++)
        sum += result.step_loss[i] * (i < STEPS - 1 ? BATCH : ROWS % BATCH);
    cr_assert_float_eq(result.epoch[0].train.loss, sum / ROWS, 1e-12);
    qs_run_close(run);
    close_fixture(f);
}

Test(run, a_limit_within_an_epoch_leaves_a_row_for_it)
{
    fixture *f = open_fixture();
    f->options.steps = STEPS + 2;
    qs_run *run = open_run(f, f->all, f->valid);
    qs_result result;
    cr_assert_eq(qs_run_train(run, &result, &f->err), QS_OK);
    cr_assert_str_eq(result.stop, "steps");
    cr_assert_eq(result.steps, STEPS + 2);
    cr_assert_eq(result.epochs, 2);
    cr_assert_eq(result.epoch[1].steps, 2);
    cr_assert_eq(result.epoch[1].train.samples, 2 * BATCH);
    cr_assert(result.epoch[1].has_valid);
    qs_run_close(run);
    close_fixture(f);
}

static int third_step(void *self, size_t step, double loss)
{
    (void)loss;
    return ++*(int *)self == 3 && step > 0;
}

Test(run, a_step_callback_stops_it)
{
    fixture *f = open_fixture();
    int steps = 0;
    f->options.on_step = third_step;
    f->options.self = &steps;
    qs_run *run = open_run(f, f->all, NULL);
    qs_result result;
    cr_assert_eq(qs_run_train(run, &result, &f->err), QS_E_STOPPED);
    cr_assert_str_eq(result.stop, "stopped");
    cr_assert_eq(result.steps, 3);
    cr_assert_eq(qs_run_train(run, &result, &f->err), QS_E_ARG, "it has ended");
    qs_run_close(run);
    close_fixture(f);
}

static int count_epoch(void *self, const qs_epoch *epoch)
{
    cr_assert_eq(epoch->epoch, (size_t)++ * (int *)self);
    return epoch->epoch == 2;
}

Test(run, an_epoch_callback_stops_it)
{
    fixture *f = open_fixture();
    int epochs = 0;
    f->options.on_epoch = count_epoch;
    f->options.self = &epochs;
    qs_run *run = open_run(f, f->train, f->valid);
    qs_result result;
    cr_assert_eq(qs_run_train(run, &result, &f->err), QS_E_STOPPED);
    cr_assert_eq(result.epochs, 2);
    qs_run_close(run);
    close_fixture(f);
}

/* The same architecture with the result's weights scores what the best epoch scored. */
Test(run, the_best_weights_are_back_at_the_end)
{
    fixture *f = open_fixture();
    f->options.epochs = 200;
    f->options.learning_rate = "0.05";
    f->options.early_stop = "val_loss:patience=3,restore_best=true";
    qs_run *run = open_run(f, f->train, f->valid);
    qs_result result;
    qs_scores now;
    double best = INFINITY;
    cr_assert_eq(qs_run_train(run, &result, &f->err), QS_OK);
    cr_assert_str_eq(result.stop, "early_stop");
    for (size_t i = 0; i < result.epochs; i++)
        best = fmin(best, result.epoch[i].valid.loss);
    cr_assert_lt(best, result.epoch[result.epochs - 1].valid.loss);
    cr_assert_eq(qs_trainer_evaluate(qs_run_trainer(run), f->valid, &now, NULL, &f->err), QS_OK);
    cr_assert_float_eq(now.loss, best, 1e-12);
    qs_run_close(run);
    close_fixture(f);
}

Test(run, a_reduced_rate_shows_in_the_next_epoch)
{
    fixture *f = open_fixture();
    f->options.reduce_lr = "loss:patience=1,min_delta=100,factor=0.5";
    qs_run *run = open_run(f, f->train, f->valid);
    qs_result result;
    cr_assert_eq(qs_run_train(run, &result, &f->err), QS_OK);
    static const double rates[] = {0.01, 0.01, 0.005, 0.0025};
    for (int i = 0; i < 4; i++)
        cr_assert_float_eq(result.epoch[i].learning_rate, rates[i], 1e-9);
    qs_run_close(run);
    close_fixture(f);
}

/* ---- several at once ---- */

typedef struct job {
    fixture *f;
    double loss;
} job;

static void *train_job(void *self)
{
    job *j = self;
    qs_run *run;
    qs_result result;
    j->loss = NAN;
    if (qs_run_open(j->f->model, j->f->train, j->f->valid, NULL, &j->f->options, &run, NULL))
        return NULL;
    if (qs_run_train(run, &result, NULL) == QS_OK)
        j->loss = result.epoch[result.epochs - 1].valid.loss;
    qs_run_close(run);
    return NULL;
}

Test(run, several_at_once_do_not_disturb_each_other)
{
    enum { JOBS = 4 };
    job alone = {.f = open_fixture()}, together[JOBS];
    pthread_t thread[JOBS];
    train_job(&alone);
    cr_assert(isfinite(alone.loss));
    for (int i = 0; i < JOBS; i++) {
        together[i].f = open_fixture();
        cr_assert_eq(pthread_create(&thread[i], NULL, train_job, &together[i]), 0);
    }
    for (int i = 0; i < JOBS; i++) {
        pthread_join(thread[i], NULL);
        cr_assert_eq(together[i].loss, alone.loss);
        close_fixture(together[i].f);
    }
    close_fixture(alone.f);
}

/* ---- what cannot be ---- */

static const char *refused(fixture *f, qs_status status)
{
    qs_run *run = NULL;
    cr_assert_eq(qs_run_open(f->model, f->train, f->valid, NULL, &f->options, &run, &f->err),
                 status, "%s", f->err.text);
    cr_assert_null(run);
    return f->err.text;
}

Test(run, bad_options_are_refused_before_anything_happens)
{
    fixture *f = open_fixture();
    f->options.early_stop = "val_acc";
    cr_assert_not_null(strstr(refused(f, QS_E_ARG), "val_accuracy"));
    f->options.early_stop = NULL;
    f->options.class_weight = "3=1";
    cr_assert_not_null(strstr(refused(f, QS_E_ARG), "0 to 2"));
    f->options.class_weight = NULL;
    f->options.reduce_lr = "loss";
    f->options.learning_rate = "exponential_decay:initial_learning_rate=0.1,decay_steps=9,"
                               "decay_rate=0.5";
    cr_assert_not_null(strstr(refused(f, QS_E_ARG), "schedule"));
    close_fixture(f);
}
