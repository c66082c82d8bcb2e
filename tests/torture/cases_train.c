/* SPDX-License-Identifier: MIT */
/* cases_train.c - trainers, single calls, and whole runs with a folder, stopped and gone on with. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "workshop.h"

enum { ROWS = 5, FEATURES = 12, CLASSES = 4 };

typedef struct train_case {
    qs_model *model;
    qs_data *all, *train, *valid, *stream;
    qs_trainer *trainer;
    qs_train_options options;
    qs_scores scores;
    float y[20 * CLASSES];
    char folder[TORTURE_PATH];
    uint64_t before, reference; /* digests of the model: at first, of an undisturbed run */
    bool stop;                  /* after the first epoch */
} train_case;

static train_case *new_case(void)
{
    qs_error err = {0};
    train_case *c = calloc(1, sizeof *c);
    torture_need(qs_model_parse(workshop_recipe, strlen(workshop_recipe), &c->model, &err), &err);
    torture_need(qs_model_init(c->model, 1, &err), &err);
    c->all = workshop_data();
    torture_need(qs_data_split(c->all, 0.25, &c->train, &c->valid, &err), &err);
    c->options = (qs_train_options)QS_TRAIN_OPTIONS;
    c->options.threads = 2;
    c->trainer = TORTURE_UNTOUCHED;
    c->before = torture_mix_model(1, c->model);
    return c;
}

static void close_case(void *self)
{
    train_case *c = self;
    if (c->trainer != TORTURE_UNTOUCHED)
        qs_trainer_close(c->trainer);
    qs_data_close(c->train);
    qs_data_close(c->valid);
    qs_data_close(c->all);
    qs_model_close(c->model);
    if (*c->folder)
        torture_remove(c->folder);
    free(c);
}

/* ---- a trainer ---- */

static void *open_untrained(const char *subject)
{
    (void)subject;
    return new_case();
}

static qs_status act_trainer(void *self, qs_error *err)
{
    train_case *c = self;
    return qs_trainer_open(c->model, &c->options, &c->trainer, err);
}

static qs_array xs(void)
{
    static const float x[ROWS][FEATURES] = {{1, 2}, {0, 3}, {-1, 1}, {0.5f}, {0.25f, 1}};
    return (qs_array){x, QS_F32, 2, {ROWS, FEATURES}};
}

static qs_array ys(void)
{
    static const int32_t y[ROWS] = {0, 1, 2, 3, 0};
    return (qs_array){y, QS_I32, 1, {ROWS}};
}

static uint64_t digest_trainer(void *self)
{
    train_case *c = self;
    const qs_array x = xs(), y = ys();
    double loss = 0;
    qs_error err = {0};
    torture_need(qs_trainer_step(c->trainer, &x, &y, NULL, &loss, &err), &err);
    return torture_mix(1, &loss, sizeof loss);
}

static const char *trainer_damage(void *self)
{
    const train_case *c = self;
    if (c->trainer != TORTURE_UNTOUCHED)
        return "the result was written";
    return torture_mix_model(1, c->model) == c->before ? NULL : "the model is another one";
}

/* ---- single calls ---- */

static void *open_trainer(const char *subject)
{
    train_case *c = new_case();
    qs_error err = {0};
    (void)subject;
    torture_need(act_trainer(c, &err), &err);
    return c;
}

static qs_status act_step(void *self, qs_error *err)
{
    const qs_array x = xs(), y = ys();
    double loss = 0;
    return qs_trainer_step(((train_case *)self)->trainer, &x, &y, NULL, &loss, err);
}

static qs_status act_epoch(void *self, qs_error *err)
{
    train_case *c = self;
    qs_epoch epoch;
    return qs_trainer_epoch(c->trainer, c->all, &epoch, err);
}

static qs_status act_evaluate(void *self, qs_error *err)
{
    train_case *c = self;
    uint64_t confusion[CLASSES * CLASSES] = {0};
    return qs_trainer_evaluate(c->trainer, c->all, &c->scores, confusion, err);
}

static qs_status act_predict(void *self, qs_error *err)
{
    train_case *c = self;
    return qs_trainer_predict_data(c->trainer, c->all, c->y, err);
}

static qs_status act_gradient(void *self, qs_error *err)
{
    const qs_array x = xs(), y = ys();
    train_case *c = self;
    int index = c->model->weights - 1;
    return qs_trainer_gradient(c->trainer, &x, &y, NULL, (size_t)index, c->y, err);
}

static qs_status act_sync(void *self, qs_error *err)
{
    return qs_trainer_sync(((train_case *)self)->trainer, err);
}

static uint64_t digest_calls(void *self)
{
    train_case *c = self;
    const uint64_t digest = torture_mix(1, c->y, sizeof c->y);
    return torture_mix(digest ^ digest_trainer(c), &c->scores.loss, sizeof c->scores.loss);
}

/* ---- whole runs ---- */

static void *open_run(const char *subject)
{
    static int count;
    char name[40];
    train_case *c = new_case();
    snprintf(name, sizeof name, "run-%d", count++);
    c->options.out = torture_path(name, c->folder);
    c->options.early_stop = "val_loss:patience=3,restore_best=true";
    c->options.reduce_lr = "val_loss:patience=1,factor=0.5";
    c->options.checkpoint_every = 2;
    c->options.step_losses = 1;
    c->options.resident = strcmp(subject, "streamed") == 0 ? QS_OFF : QS_AUTO;
    c->options.self = c;
    return c;
}

static int stop_now(void *self, const qs_epoch *epoch)
{
    (void)epoch;
    return ((train_case *)self)->stop;
}

static qs_status train(train_case *c, qs_error *err)
{
    qs_run *run = TORTURE_UNTOUCHED;
    qs_result result;
    c->options.on_epoch = stop_now;
    qs_status status = qs_run_open(c->model, c->train, c->valid, c->all, &c->options, &run, err);
    if (run == TORTURE_UNTOUCHED)
        return status;
    if (status == QS_OK)
        status = qs_run_record(run, "{}", err);
    if (status == QS_OK)
        status = qs_run_train(run, &result, err);
    qs_run_close(run);
    return status;
}

static qs_status act_run(void *self, qs_error *err)
{
    return train(self, err);
}

static uint64_t digest_run(void *self)
{
    train_case *c = self;
    char path[TORTURE_PATH + 20];
    snprintf(path, sizeof path, "%s/model.keras", c->folder);
    const uint64_t digest = torture_mix_file(torture_mix_model(1, c->model), path);
    snprintf(path, sizeof path, "%s/best.keras", c->folder);
    return torture_mix_file(digest, path);
}

/* What an undisturbed run comes to; it does not depend on stops in between. */
static uint64_t undisturbed(void)
{
    static uint64_t digest;
    if (!digest) {
        qs_error err = {0};
        train_case *c = open_run("");
        torture_need(train(c, &err), &err);
        digest = digest_run(c);
        close_case(c);
    }
    return digest;
}

/* After memory is back, what is left must go on to the same end. */
static const char *run_damage(void *self)
{
    train_case *c = self;
    char checkpoint[TORTURE_PATH + 40];
    qs_error err = {0};
    qs_model_close(c->model);
    c->model = NULL;
    torture_need(qs_model_parse(workshop_recipe, strlen(workshop_recipe), &c->model, &err), &err);
    snprintf(checkpoint, sizeof checkpoint, "%s/checkpoint/last.safetensors", c->folder);
    c->options.resume = qs_file_exists(checkpoint) ? c->folder : NULL;
    c->stop = false;
    if (train(c, &err) != QS_OK) {
        static char why[TORTURE_TEXT];
        snprintf(why, sizeof why, "cannot go on: %.500s", err.text);
        return why;
    }
    return digest_run(c) == undisturbed() ? NULL : "going on comes to another end";
}

static void *open_stopped(const char *subject)
{
    train_case *c = open_run(subject);
    qs_error err = {0};
    c->stop = true;
    if (train(c, &err) != QS_E_STOPPED)
        torture_need(QS_E_IO, &err);
    c->stop = false;
    c->options.resume = c->folder;
    qs_model_close(c->model);
    c->model = NULL;
    torture_need(qs_model_parse(workshop_recipe, strlen(workshop_recipe), &c->model, &err), &err);
    return c;
}

#define CALL(name, act)                                                                            \
    {                                                                                              \
        name, "in memory", open_trainer, act, digest_calls, NULL, close_case                       \
    }

const torture_case torture_train_cases[] = {
    {"trainer", "all layers", open_untrained, act_trainer, digest_trainer, trainer_damage,
     close_case},
    CALL("step", act_step),
    CALL("epoch", act_epoch),
    CALL("evaluate", act_evaluate),
    CALL("predict", act_predict),
    CALL("gradient", act_gradient),
    CALL("sync", act_sync),
    {"run", "resident", open_run, act_run, digest_run, run_damage, close_case},
    {"run", "streamed", open_run, act_run, digest_run, run_damage, close_case},
    {"resume", "stopped", open_stopped, act_run, digest_run, run_damage, close_case},
    {0},
};
