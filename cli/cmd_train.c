/* SPDX-License-Identifier: MIT */
/* cmd_train.c - trains a model: options in, run's folder and result out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "command.h"
#include "environment.h"
#include "folder.h"
#include "interrupt.h"
#include "progress.h"
#include "quickstep/quickstep.h"
#include "report.h"
#include "samples.h"
#include "settings.h"
#include "tensorboard.h"
#include "text.h"
#include "train_options.h"
#include "train_result.h"

_Static_assert(sizeof(train_options) <= OPTIONS_BYTES, "raise OPTIONS_BYTES");

/* One training, from its options to its end. What is not yet there is NULL. */
typedef struct job {
    const invocation *in;
    const train_options *o;
    const char *model_path; /* NULL: the default recipe */
    const char *label;      /* how the user named the model */
    char start[4096];       /* the resumed run's own model */
    char folder[4096];      /* made by this job; "" otherwise */
    qs_model *model;
    settings known;
    samples_plan plan;
    samples data;
    qs_train_options train;
    progress shown;
    tensorboard events;
    qs_status late; /* of a call-back */
    qs_error late_error;
    qs_run *run;
    json_t *record, *saved;
    double startup_s, load_s;
} job;

static qs_status open_settings(job *j, qs_error *err)
{
    const char *operand = j->in->operands ? j->in->operand[0] : NULL;
    const char *resume = j->o->resume;
    settings_open(&j->known, resume ? resume : operand);
    const char *resumed = json_string_value(json_object_get(j->known.run, "model"));
    j->model_path = operand;
    j->label = operand ? operand : resume && resumed ? resumed : "default";
    if (!resume || operand)
        return QS_OK;
    snprintf(j->start, sizeof j->start, "%s/checkpoint/start.keras", resume);
    if (access(j->start, R_OK) == 0)
        j->model_path = j->start;
    else if (!resumed)
        return fail(err, QS_E_MISSING,
                    "--resume %s: there is no run in this folder (no run.json); give the folder "
                    "that the run printed",
                    resume);
    else if (strcmp(resumed, "default") != 0) /* it was killed before its first step */
        j->model_path = resumed;
    return QS_OK;
}

static qs_status open_model(job *j, qs_error *err)
{
    qs_status s = open_settings(j, err);
    if (s == QS_OK)
        s = qs_model_open(j->model_path, &j->model, err);
    if (s == QS_OK && j->o->weights)
        s = qs_model_load_weights(j->model, j->o->weights, err);
    j->known.model = j->model;
    return s;
}

static qs_status open_samples(job *j, qs_error *err)
{
    const double begin = clock_now();
    train_options_samples(j->o, &j->known, &j->plan);
    if (!j->plan.train)
        return fail(err, QS_E_ARG,
                    "--data: %s does not say what to train on; give --data SPEC, as in --data "
                    "digits ('quickstep help data' lists the forms)",
                    j->model_path ? j->model_path : "the default recipe");
    const qs_status s = samples_open(&j->plan, &j->data, err);
    j->load_s = clock_now() - begin;
    if (s == QS_E_MISSING && !j->o->data && !j->model_path)
        return fail_advice(err, s, "or give --data with a set that is there");
    return s;
}

static int on_epoch(void *self, const qs_epoch *epoch)
{
    job *j = self;
    progress_epoch(&j->shown, epoch);
    j->late = tensorboard_epoch(&j->events, epoch, &j->late_error);
    return j->late != QS_OK;
}

static qs_status choose_folder(job *j, qs_error *err)
{
    j->train.out = j->o->no_out ? NULL : j->o->out ? j->o->out : j->o->resume;
    if (j->train.out || j->o->no_out)
        return QS_OK;
    const qs_status s = folder_make(j->label, j->folder, sizeof j->folder, err);
    if (s == QS_OK)
        j->train.out = j->folder;
    else
        j->folder[0] = '\0';
    return s;
}

/* Also before the first step, so that a run that is killed can be gone on with. */
static qs_status write_record(job *j, json_t *result, qs_error *err)
{
    json_object_set(j->record, "result", result);
    char *text = json_dumps(j->record, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    if (!text)
        return fail(err, QS_E_NOMEM, "run.json: out of memory");
    const qs_status s = qs_run_record(j->run, text, err);
    free(text);
    return s;
}

/* Before the run is opened: it may replace the model's settings, which the options point to. */
static void begin_record(job *j)
{
    j->record = json_object();
    json_object_set_new(j->record, "settings",
                        train_settings_json(j->o, &j->plan, &j->train, j->label));
    json_object_set_new(j->record, "environment", environment_json());
    json_object_set_new(j->record, "versions", versions_json());
}

static void print_header(const job *j)
{
    qs_trainer_info info;
    qs_data_info train, valid;
    char params[TEXT_BYTES], rows[TEXT_BYTES];
    if (j->in->quiet)
        return;
    qs_trainer_describe(qs_run_trainer(j->run), &info);
    qs_data_describe(j->data.train, &train);
    fprintf(stderr, "%s: %s parameters, %s, batch %zu, on %s (%d thread%s, %s, %s)\n", j->label,
            text_count(qs_model_params(j->model), params), info.optimizer, info.batch, info.device,
            info.threads, info.threads == 1 ? "" : "s", info.precision, info.tier);
    fprintf(stderr, "%s: %s samples", j->plan.train, text_count(train.rows, rows));
    if (j->data.valid) {
        qs_data_describe(j->data.valid, &valid);
        fprintf(stderr, ", %s to validate", text_count(valid.rows, rows));
    }
    if (j->data.test) {
        qs_data_describe(j->data.test, &valid);
        fprintf(stderr, ", %s to test", text_count(valid.rows, rows));
    }
    fputc('\n', stderr);
}

static qs_status train(job *j, qs_result *result, qs_error *err)
{
    progress_watch(&j->shown, j->run);
    const qs_status s = qs_run_train(j->run, result, err);
    progress_end(&j->shown);
    if (j->late != QS_OK)
        *err = j->late_error;
    return j->late != QS_OK ? j->late : s;
}

static void note_saved(job *j, const char *folder, const char *file)
{
    char path[4096];
    snprintf(path, sizeof path, "%s%s%s", folder ? folder : "", folder ? "/" : "", file);
    if (access(path, F_OK) == 0)
        json_array_append_new(j->saved, json_text(path));
}

static qs_status save(job *j, const qs_result *r, qs_error *err)
{
    if (j->o->save) {
        const qs_status s =
            qs_model_save(j->model, j->o->save, train_saves_weights_only(j->o), err);
        if (s != QS_OK)
            return s;
        note_saved(j, NULL, j->o->save);
    }
    if (r->folder) {
        note_saved(j, r->folder, "model.keras");
        note_saved(j, r->folder, "best.keras");
        if (j->o->profile)
            note_saved(j, r->folder, "trace.json.gz");
    }
    return QS_OK;
}

static void print_ways_on(const job *j, const qs_result *r, int stopped)
{
    size_t i;
    json_t *path;
    if (r->notes && *r->notes)
        fprintf(stderr, "note: %s\n", r->notes);
    json_array_foreach (j->saved, i, path)
        fprintf(stderr, "saved %s\n", json_string_value(path));
    if (stopped && r->folder)
        fprintf(stderr, "stopped after %zu steps; go on with: quickstep train --resume %s\n",
                r->steps, r->folder);
    else if (stopped)
        fprintf(stderr, "stopped after %zu steps; without a folder it cannot be resumed\n",
                r->steps);
    else if (r->folder)
        fprintf(stderr, "next: quickstep eval %s\n", r->folder);
    else if (j->o->save && !train_saves_weights_only(j->o))
        fprintf(stderr, "next: quickstep eval %s\n", j->o->save);
}

/* The run is over, or was stopped: keep and tell what it came to. */
static qs_status conclude(job *j, const qs_result *r, qs_status ended, json_t *result,
                          qs_error *err)
{
    const double peak = qs_device_peak_flops(r->trainer.threads);
    qs_status s = save(j, r, err);
    if (s != QS_OK)
        return s;
    const train_outcome outcome = {
        .model = j->model,
        .label = j->label,
        .run = r,
        .seed = j->train.seed,
        .startup_s = j->startup_s,
        .load_s = j->load_s,
        .total_s = clock_elapsed(),
        .peak_flops = peak,
        .saved = j->saved,
    };
    train_result_json(&outcome, result);
    s = write_record(j, result, err);
    if (s != QS_OK)
        return s;
    if (!j->in->json)
        train_result_print(&outcome, j->in->quiet);
    if (!j->in->quiet)
        print_ways_on(j, r, ended == QS_E_STOPPED);
    return ended;
}

static qs_status run_job(job *j, json_t *result, qs_error *err)
{
    qs_result r = {0};
    qs_status s = train_options_check(j->o, err);
    if (s == QS_OK)
        s = tensorboard_check(&j->events, err);
    if (s == QS_OK)
        s = open_model(j, err);
    j->startup_s = clock_elapsed();
    if (s == QS_OK)
        s = open_samples(j, err);
    if (s != QS_OK)
        return s;
    train_options_fill(j->o, &j->known, &j->train);
    j->train.on_epoch = on_epoch;
    j->train.self = j;
    begin_record(j);
    s = train_options_keep(&j->plan, &j->train, j->model, err);
    j->train.optimizer = j->o->optimizer; /* the model's own goes on where it was */
    j->train.learning_rate = j->o->lr;
    if (s == QS_OK)
        s = choose_folder(j, err);
    if (s == QS_OK)
        s = qs_run_open(j->model, j->data.train, j->data.valid, j->data.test, &j->train, &j->run,
                        err);
    if (s != QS_OK)
        return s;
    interrupt_watch(j->run, j->in->quiet);
    s = write_record(j, json_null(), err);
    if (s != QS_OK)
        return s;
    print_header(j);
    s = train(j, &r, err);
    return s == QS_OK || s == QS_E_STOPPED ? conclude(j, &r, s, result, err) : s;
}

static qs_status run(const invocation *in, json_t *result, qs_error *err)
{
    const train_options *o = in->options;
    job j = {.in = in, .o = o, .saved = json_array(), .events = {.folder = o->tensorboard}};
    progress_begin(&j.shown, in->quiet);
    const qs_status s = run_job(&j, result, err);
    interrupt_forget();
    qs_run_close(j.run);
    samples_close(&j.data);
    settings_close(&j.known);
    qs_model_close(j.model);
    json_decref(j.record);
    json_decref(j.saved);
    if (s != QS_OK && j.folder[0])
        folder_drop(j.folder);
    return s;
}

const command command_train = {
    .name = "train",
    .operands = "[MODEL]",
    .summary = "Train a model, and keep the run in a folder",
    .details = "Without MODEL the default network is trained on Fashion-MNIST. Options win over "
               "the recipe, and the recipe over what a .keras file was compiled with. Ctrl-C "
               "finishes the step, saves, and says how to go on.",
    .examples = "quickstep train\n"
                "quickstep train net.yaml --data digits --scale max --epochs 20\n"
                "quickstep train net.keras --data x.npy,y.npy --optimizer adam --lr 1e-3\n"
                "quickstep train net.yaml --validation-split 0.1 --early-stop val_loss:patience=3\n"
                "quickstep train --resume runs/2026-01-31-net-1",
    .max_operands = 1,
    .options = train_option_table,
    .run = run,
};
