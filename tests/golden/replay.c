/* SPDX-License-Identifier: MIT */
/* replay.c - do with the library what Keras did, and compare. */
#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quickstep/quickstep.h"
#include "settings.h"

enum { MAX_RATES = 4096 };

/* All that one replay holds open. */
typedef struct session {
    const fixture *f;
    const json_t *tolerance;
    verdict *v;
    bool named; /* metrics carry Keras' names */
    settings settings;
    qs_train_options options;
    qs_model *model;
    qs_data *data, *train, *valid; /* all rows; those that train; those that validate, or NULL */
    qs_trainer *trainer;
    qs_run *run;
    double rate[MAX_RATES]; /* that step i uses */
    size_t rates;
    qs_error err;
} session;

/* True if the call went well; else the verdict says which did not. */
static bool went_well(session *s, qs_status status, const char *what)
{
    if (status != QS_OK)
        verdict_fail(s->v, "%s: %s", what, s->err.text);
    return status == QS_OK;
}

static void floats(session *s, const char *group, const char *name, const float *got, size_t n)
{
    const expected e = {s->tolerance, group, name, npz_find(&s->f->expect, name)};
    verdict_floats(s->v, &e, got, n);
}

static void doubles(session *s, const char *name, const double *got, size_t n)
{
    const expected e = {s->tolerance, name, name, npz_find(&s->f->expect, name)};
    if (e.want)
        verdict_doubles(s->v, &e, got, n);
}

static const qs_array *view(const session *s, const char *name)
{
    const array *a = npz_find(&s->f->data, name);
    return a ? &a->view : NULL;
}

/* Layers that come later; a fixture of one may be refused, any other may not. */
static bool may_be_unsupported(const fixture *f)
{
    static const char *const later[] = {"conv", "pooling",   "rnn",  "lstm",
                                        "gru",  "embedding", "lenet"};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        if (strstr(f->name, later[i]))
            return true;
    return false;
}

static bool open_model(session *s, const char *file)
{
    char path[600];
    fixture_path(s->f, file, path, sizeof path);
    const qs_status status = qs_model_open(path, &s->model, &s->err);
    if (status == QS_E_UNSUPPORTED && may_be_unsupported(s->f)) {
        s->v->skipped = true;
        const char *what = strstr(s->err.text, "no support");
        snprintf(s->v->reason, sizeof s->v->reason, "%s", what ? what : s->err.text);
        return false;
    }
    return went_well(s, status, file);
}

static bool load_weights(session *s, const char *file)
{
    char path[600];
    fixture_path(s->f, file, path, sizeof path);
    return went_well(s, qs_model_load_weights(s->model, path, &s->err), file);
}

static const char *or_null(const char *text)
{
    return text[0] ? text : NULL;
}

static int on_step(void *self, size_t step, double loss)
{
    session *s = self;
    qs_trainer_info info;
    (void)step;
    (void)loss;
    qs_trainer_describe(qs_run_trainer(s->run), &info);
    if (s->rates < MAX_RATES)
        s->rate[s->rates++] = info.learning_rate;
    return 0;
}

/* Keras' archives have lost Huber's delta. */
static bool loses_loss(const fixture *f)
{
    return strcmp(f->name, "loss_huber_small_delta") == 0;
}

static void set_options(session *s, source from, int threads)
{
    const json_t *run = s->f->run;
    settings_read(s->f->compile, run, &s->settings);
    s->options = (qs_train_options)QS_TRAIN_OPTIONS;
    s->options.batch = (size_t)json_integer_value(json_object_get(run, "batch_size"));
    s->options.epochs = (size_t)json_integer_value(json_object_get(run, "epochs"));
    s->options.shuffle = QS_OFF;
    s->options.device = "cpu";
    s->options.threads = threads;
    s->options.step_losses = 1;
    s->options.class_weight = or_null(s->settings.class_weight);
    s->options.early_stop = or_null(s->settings.early_stop);
    s->options.reduce_lr = or_null(s->settings.reduce_lr);
    s->options.on_step = on_step;
    s->options.self = s;
    s->named = from == FROM_KERAS;
    if (from == FROM_JSON || loses_loss(s->f))
        s->options.loss = s->settings.loss;
    if (from == FROM_JSON) {
        s->options.optimizer = s->settings.optimizer;
        s->options.learning_rate = or_null(s->settings.learning_rate);
        s->options.metrics = s->settings.metrics;
        s->options.weighted_metrics = or_null(s->settings.weighted_metrics);
    }
}

static bool open_data(session *s)
{
    const double split = json_number_value(json_object_get(s->f->run, "validation_split"));
    qs_status status =
        qs_data_wrap(view(s, "x"), view(s, "y"), view(s, "sample_weight"), NULL, &s->data, &s->err);
    if (status == QS_OK && split > 0)
        status = qs_data_split(s->data, split, &s->train, &s->valid, &s->err);
    if (status == QS_OK && view(s, "x_val"))
        status = qs_data_wrap(view(s, "x_val"), view(s, "y_val"), NULL, NULL, &s->valid, &s->err);
    return went_well(s, status, "data");
}

static void check_predict(session *s, qs_trainer *trainer, const char *name)
{
    const size_t n = view(s, "x")->dim[0] * qs_model_outputs(s->model);
    float *y = calloc(n, sizeof *y);
    if (y && went_well(s, qs_trainer_predict(trainer, view(s, "x"), y, &s->err), name))
        floats(s, name, name, y, n);
    free(y);
}

static qs_array first_rows(const qs_array *a, size_t n)
{
    qs_array part = *a;
    part.dim[0] = n < a->dim[0] ? n : a->dim[0];
    return part;
}

static size_t size_of(const qs_weight_info *weight)
{
    size_t n = 1;
    for (int i = 0; i < weight->rank; i++)
        n *= weight->shape[i];
    return n;
}

static void check_gradient(session *s, size_t index, const char *name)
{
    const size_t rows = (size_t)json_integer_value(json_object_get(s->f->run, "train_rows"));
    const size_t batch = rows < s->options.batch ? rows : s->options.batch;
    const qs_array x = first_rows(view(s, "x"), batch), y = first_rows(view(s, "y"), batch);
    const qs_array *w = view(s, "sample_weight"), part = w ? first_rows(w, batch) : (qs_array){0};
    const qs_array *weights = w ? &part : NULL;
    qs_weight_info weight;
    if (!went_well(s, qs_model_weight(s->model, index, &weight, &s->err), name))
        return;
    const size_t n = size_of(&weight);
    float *gradient = calloc(n, sizeof *gradient);
    if (gradient &&
        went_well(s, qs_trainer_gradient(s->trainer, &x, &y, weights, index, gradient, &s->err),
                  name))
        floats(s, "gradients", name, gradient, n);
    free(gradient);
}

/* Gradients with class weights cannot be asked for; step losses and weights show them. */
static void check_gradients(session *s)
{
    for (size_t i = 0; i < qs_model_weights(s->model) && !s->options.class_weight; i++) {
        char name[32];
        snprintf(name, sizeof name, "grad%zu", i);
        if (npz_find(&s->f->expect, name))
            check_gradient(s, i, name);
    }
}

static void check_start(session *s)
{
    if (!went_well(s, qs_trainer_open(s->model, &s->options, &s->trainer, &s->err), "trainer"))
        return;
    check_predict(s, s->trainer, "predict_initial");
    check_gradients(s);
    qs_trainer_close(s->trainer);
    s->trainer = NULL;
}

/* history_loss, history_val_accuracy … : `pick` 0 is the loss, then metric pick - 1. */
static void check_history(session *s, const qs_result *result, bool valid, int pick)
{
    const char *metric = pick ? settings_metric_name(s->f->compile, (size_t)pick - 1) : "loss";
    char name[160];
    double *got = calloc(result->epochs + 1, sizeof *got);
    for (size_t i = 0; got && i < result->epochs; i++) {
        const qs_epoch *epoch = &result->epoch[i];
        const qs_scores *scores = valid ? &epoch->valid : &epoch->train;
        if (pick > scores->metrics)
            verdict_fail(s->v, "epoch %zu has %d metrics, no %s", i + 1, scores->metrics, metric);
        else if (pick && s->named && strcmp(scores->name[pick - 1], metric) != 0)
            verdict_fail(s->v, "metric is called %s, not %s", scores->name[pick - 1], metric);
        else
            got[i] = pick ? scores->value[pick - 1] : scores->loss;
    }
    snprintf(name, sizeof name, "history_%s%s", valid ? "val_" : "", metric);
    doubles(s, name, got, result->epochs);
    free(got);
}

static void check_histories(session *s, const qs_result *result)
{
    for (int pick = 0; pick == 0 || settings_metric_name(s->f->compile, (size_t)pick - 1); pick++)
        for (int valid = 0; valid <= (s->valid != NULL); valid++)
            check_history(s, result, valid, pick);
    double *rates = calloc(result->epochs + 1, sizeof *rates);
    for (size_t i = 0; rates && i < result->epochs; i++)
        rates[i] = result->epoch[i].learning_rate;
    doubles(s, "history_learning_rate", rates, result->epochs);
    free(rates);
}

static void check_weights(session *s)
{
    for (size_t i = 0; i < qs_model_weights(s->model); i++) {
        char name[32];
        qs_weight_info weight;
        snprintf(name, sizeof name, "w%zu", i);
        if (went_well(s, qs_model_weight(s->model, i, &weight, &s->err), name))
            floats(s, "weights", name, weight.data, size_of(&weight));
    }
}

static void check_evaluate(session *s, qs_trainer *trainer)
{
    qs_scores scores;
    if (!went_well(s, qs_trainer_evaluate(trainer, s->data, &scores, NULL, &s->err), "evaluate"))
        return;
    doubles(s, "evaluate_loss", &scores.loss, 1);
    for (int i = 0; i < scores.metrics; i++) {
        char name[160];
        const char *metric = settings_metric_name(s->f->compile, (size_t)i);
        snprintf(name, sizeof name, "evaluate_%s", metric ? metric : "?");
        doubles(s, name, &scores.value[i], 1);
    }
}

static void check_training(session *s)
{
    qs_result result;
    qs_trainer_info info;
    const qs_data *train = s->train ? s->train : s->data;
    if (!went_well(s, qs_run_open(s->model, train, s->valid, NULL, &s->options, &s->run, &s->err),
                   "run"))
        return;
    qs_trainer_describe(qs_run_trainer(s->run), &info);
    s->rate[s->rates++] = info.learning_rate;
    if (!went_well(s, qs_run_train(s->run, &result, &s->err), "train"))
        return;
    doubles(s, "step_loss", result.step_loss, result.step_losses);
    doubles(s, "step_learning_rate", s->rate, s->rates - 1);
    check_histories(s, &result);
    check_weights(s);
    check_predict(s, qs_run_trainer(s->run), "predict_final");
    check_evaluate(s, qs_run_trainer(s->run));
}

static void close_session(session *s)
{
    qs_run_close(s->run);
    qs_trainer_close(s->trainer);
    qs_data_close(s->train);
    qs_data_close(s->valid);
    qs_data_close(s->data);
    qs_model_close(s->model);
    free(s);
}

static session *open_session(const fixture *f, verdict *v)
{
    session *s = calloc(1, sizeof *s);
    if (s) {
        s->f = f;
        s->v = v;
        s->tolerance = json_object_get(f->run, "tolerance");
    }
    return s;
}

void replay_fixture(const fixture *f, source from, int threads, verdict *v)
{
    session *s = open_session(f, v);
    if (!s)
        return;
    const bool ready = open_model(s, from == FROM_KERAS ? "start.keras" : "model.json") &&
                       (from == FROM_KERAS || load_weights(s, "init.npz")) && open_data(s);
    if (ready) {
        set_options(s, from, threads);
        check_start(s);
        if (json_is_true(json_object_get(f->run, "train")) || !json_object_get(f->run, "train"))
            check_training(s);
    }
    close_session(s);
}

/* One more epoch from the state in the file gives the losses of going on without the file. */
static void check_continuing(session *s)
{
    qs_result result;
    s->options.epochs = 1;
    if (!went_well(s, qs_run_open(s->model, s->data, NULL, NULL, &s->options, &s->run, &s->err),
                   "run") ||
        !went_well(s, qs_run_train(s->run, &result, &s->err), "train"))
        return;
    doubles(s, "continue_step_loss", result.step_loss, result.step_losses);
    doubles(s, "reload_step_loss", result.step_loss, result.step_losses);
}

void replay_file(const fixture *f, const char *file, int threads, verdict *v)
{
    session *s = open_session(f, v);
    const bool weights_only = strstr(file, ".weights.") != NULL;
    if (!s)
        return;
    if (open_model(s, weights_only ? "model.json" : file) &&
        (!weights_only || load_weights(s, file)) && open_data(s)) {
        set_options(s, weights_only ? FROM_JSON : FROM_KERAS, threads);
        if (went_well(s, qs_trainer_open(s->model, &s->options, &s->trainer, &s->err), "trainer")) {
            check_predict(s, s->trainer, "predict");
            check_evaluate(s, s->trainer);
            if (!weights_only)
                check_continuing(s);
        }
    }
    close_session(s);
}
