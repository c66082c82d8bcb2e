/* SPDX-License-Identifier: MIT */
/* cmd_train.c - trains a model: options in, run's folder and result out. */
#include <math.h>
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
#include "train_result.h"

typedef struct options {
    const char *data, *valid, *test, *scale;
    double validation_split;
    int64_t epochs, batch, steps;
    const char *optimizer, *lr, *loss, *metrics;
    const char *early_stop, *reduce_lr, *class_weight;
    int64_t seed;
    int shuffle;
    const char *device, *precision, *resident;
    int64_t threads, prefetch;
    const char *weights, *out, *save, *resume, *tensorboard;
    int no_out, steps_json;
    int64_t checkpoint_every;
} options;

_Static_assert(sizeof(options) <= OPTIONS_BYTES, "raise OPTIONS_BYTES");

#define AT(field) offsetof(options, field)
static const option table[] = {
    {.kind = OPT_HEADING, .help = "Data"},
    {"data", OPT_TEXT, AT(data), "SPEC", "Samples to train on (quickstep help data)",
     .choices = "/"},
    {"valid", OPT_TEXT, AT(valid), "SPEC", "Samples to validate on after each epoch",
     .choices = "/"},
    {"validation-split", OPT_REAL, AT(validation_split), "F",
     "Put this fraction of the samples aside for validation, from the end", .min = 0, .max = 0.999},
    {"test", OPT_TEXT, AT(test), "SPEC",
     "Samples to test the result on; without it the data set's own test part, where it has one",
     .choices = "/"},
    {"scale", OPT_TEXT, AT(scale), "HOW",
     "Scale each sample (l1, l2, max), divide by 255 (unit), or use the training set's statistics "
     "(standard, minmax)",
     .choices = "none|unit|l1|l2|max|standard|minmax"},
    {"shuffle", OPT_SWITCH, AT(shuffle), .help = "Visit the samples in another order each epoch"},
    {"class-weight", OPT_TEXT, AT(class_weight), "0=W,1=W,...",
     .help = "Weigh the loss of each class"},
    {.kind = OPT_HEADING, .help = "Training"},
    {"epochs", OPT_COUNT, AT(epochs), "N", "Passes over the data", .min = 1, .max = 1e9},
    {"batch", OPT_COUNT, AT(batch), "N", "Samples in a step", .min = 1, .max = 1 << 24},
    {"steps", OPT_COUNT, AT(steps), "N", "Stop after so many steps in all", .min = 1, .max = 1e15},
    {"optimizer", OPT_TEXT, AT(optimizer), "NAME[:k=v,...]", "How to update the weights",
     .choices = "@optimizers"},
    {"lr", OPT_TEXT, AT(lr), "X", "Learning rate, or a schedule: cosine_decay:decay_steps=1000,...",
     .choices = "@schedules"},
    {"loss", OPT_TEXT, AT(loss), "NAME", "What to minimise", .choices = "@losses"},
    {"metrics", OPT_TEXT, AT(metrics), "A,B", "What else to measure", .choices = "@metrics"},
    {"early-stop", OPT_TEXT, AT(early_stop), "METRIC[:k=v,...]",
     .help = "Stop when a metric no longer improves: patience, min_delta, restore_best, "
             "start_from_epoch"},
    {"reduce-lr", OPT_TEXT, AT(reduce_lr), "METRIC[:k=v,...]",
     .help = "Lower the learning rate on a plateau: factor, patience, min_delta, cooldown, min_lr"},
    {"seed", OPT_COUNT, AT(seed), "N", .help = "Fixes initial weights, order and dropout"},
    {.kind = OPT_HEADING, .help = "Where and how"},
    {"device", OPT_TEXT, AT(device), "D", "auto[:a,b], cpu, opencl[:i] or cuda[:i]",
     .env = "QUICKSTEP_DEVICE"},
    {"threads", OPT_COUNT, AT(threads), "N", "Threads; without it the physical cores",
     .env = "QUICKSTEP_THREADS", .min = 1, .max = 4096},
    {"precision", OPT_TEXT, AT(precision), "P", "Type of the matrix products",
     .choices = "f32|bf16|f16|tf32"},
    {"resident", OPT_TEXT, AT(resident), "HOW", "Keep the data set in the device's memory", "auto",
     .choices = "auto|on|off"},
    {"prefetch", OPT_COUNT, AT(prefetch), "N", "Batches to read ahead where it is not",
     .max = 4096},
    {.kind = OPT_HEADING, .help = "Files"},
    {"weights", OPT_TEXT, AT(weights), "FILE", "Start from these weights", .choices = "/"},
    {"out", OPT_TEXT, AT(out), "DIR", "The run's folder; without it runs/<date>-<model>-<n>",
     .choices = "/"},
    {"no-out", OPT_FLAG, AT(no_out), .help = "Keep no folder of the run"},
    {"save", OPT_TEXT, AT(save), "FILE", "Save the result, too: .keras, .h5, .npz, .safetensors",
     .choices = "/"},
    {"resume", OPT_TEXT, AT(resume), "DIR", "Go on with the run in this folder", .choices = "/"},
    {"checkpoint-every", OPT_COUNT, AT(checkpoint_every), "N",
     "Steps between checkpoints; without it one each epoch", .min = 1, .max = 1e15},
    {"tensorboard", OPT_TEXT, AT(tensorboard), "DIR",
     "Write each epoch's scores for TensorBoard to DIR/train and DIR/validation", .choices = "/"},
    {"steps-json", OPT_FLAG, AT(steps_json), .help = "Keep each step's loss for the JSON result"},
    {0},
};
#undef AT

/* One training, from its options to its end. What is not yet there is NULL. */
typedef struct job {
    const invocation *in;
    const options *o;
    const char *model_path; /* NULL: the default recipe */
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

static int ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n > m && strcmp(text + n - m, ending) == 0;
}

/* Now, rather than when the training is done. */
static qs_status check_save(const char *path, qs_error *err)
{
    qs_name_info format;
    for (size_t i = 0; qs_registry_entry("formats", i, &format); i++)
        if (ends_with(path, format.name))
            return folder_check("--save", path, err);
    return fail(err, QS_E_ARG,
                "--save %s: no format has this ending; end it with .keras, .h5, .npz or "
                ".safetensors ('quickstep help formats' lists all)",
                path);
}

static qs_status check_options(const options *o, qs_error *err)
{
    if (o->valid && o->validation_split > 0)
        return fail(err, QS_E_ARG,
                    "--valid and --validation-split: both say what to validate on; give one");
    if (o->out && o->no_out)
        return fail(err, QS_E_ARG, "--out and --no-out: one excludes the other; give one");
    if (o->resume && o->no_out)
        return fail(err, QS_E_ARG,
                    "--resume and --no-out: a resumed run goes on in its folder; leave --no-out "
                    "out");
    if (o->resume && o->weights)
        return fail(err, QS_E_ARG,
                    "--resume and --weights: a resumed run has its weights; leave --weights out");
    return o->save ? check_save(o->save, err) : QS_OK;
}

static qs_status open_settings(job *j, qs_error *err)
{
    const char *operand = j->in->operands ? j->in->operand[0] : NULL;
    const char *resume = j->o->resume;
    settings_open(&j->known, resume ? resume : operand);
    if (resume && !j->known.run)
        return fail(err, QS_E_MISSING,
                    "--resume %s: there is no run in this folder (no run.json); give the folder "
                    "that the run printed",
                    resume);
    j->model_path = operand;
    if (resume && !operand) {
        snprintf(j->start, sizeof j->start, "%s/checkpoint/start.keras", resume);
        j->model_path = access(j->start, R_OK) == 0
                            ? j->start
                            : json_string_value(json_object_get(j->known.run, "model"));
    }
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

/* Sets that a recipe names for validation and test go with the data that it names, not with others.
 */
static void plan_samples(job *j)
{
    const options *o = j->o;
    const settings *k = &j->known;
    samples_plan *p = &j->plan;
    p->train = settings_text(k, o->data, "data.train");
    p->scale = settings_text(k, o->scale, "data.scale");
    p->valid =
        o->data || o->validation_split >= 0 ? o->valid : settings_text(k, o->valid, "data.valid");
    p->test = o->data ? o->test : settings_text(k, o->test, "data.test");
    p->own_test = 1;
    const double split = settings_number(k, o->validation_split, "data.validation_split");
    p->valid_split = !p->valid && split > 0 ? split : 0;
}

static qs_status open_samples(job *j, qs_error *err)
{
    const double begin = clock_now();
    plan_samples(j);
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

static qs_choice resident_choice(const char *text)
{
    return strcmp(text, "on") == 0 ? QS_ON : strcmp(text, "off") == 0 ? QS_OFF : QS_AUTO;
}

static size_t count_setting(const settings *k, int64_t given, const char *key)
{
    const double value = settings_number(k, given < 0 ? (double)NAN : (double)given, key);
    return value > 0 ? (size_t)value : 0;
}

static qs_choice shuffle_choice(const settings *k, int given)
{
    const char *text = settings_text(k, NULL, "data.shuffle");
    if (given >= 0)
        return given ? QS_ON : QS_OFF;
    return !text ? QS_AUTO : strcmp(text, "false") == 0 ? QS_OFF : QS_ON;
}

static uint64_t seed_setting(const settings *k, int64_t given)
{
    const double known = settings_number(k, (double)NAN, "seed");
    return given >= 0 ? (uint64_t)given : known >= 0 ? (uint64_t)known : 1;
}

static size_t given_or_zero(int64_t count)
{
    return count > 0 ? (size_t)count : 0;
}

static void fill_train_options(job *j)
{
    const options *o = j->o;
    const settings *k = &j->known;
    qs_train_options t = QS_TRAIN_OPTIONS;
    t.loss = settings_text(k, o->loss, "loss");
    t.optimizer = settings_text(k, o->optimizer, "optimizer");
    t.learning_rate = o->optimizer ? o->lr : settings_text(k, o->lr, "learning_rate");
    t.metrics = settings_text(k, o->metrics, "metrics");
    t.weighted_metrics = settings_text(k, NULL, "weighted_metrics");
    t.batch = count_setting(k, o->batch, "batch_size");
    t.epochs = count_setting(k, o->epochs, "epochs");
    t.steps = given_or_zero(o->steps);
    t.device = o->device;
    t.precision = settings_text(k, o->precision, "precision");
    t.threads = (int)given_or_zero(o->threads);
    t.seed = seed_setting(k, o->seed);
    t.shuffle = shuffle_choice(k, o->shuffle);
    t.resident = resident_choice(o->resident);
    t.prefetch = (int)o->prefetch;
    t.early_stop = settings_text(k, o->early_stop, "early_stopping");
    t.reduce_lr = settings_text(k, o->reduce_lr, "reduce_lr");
    t.class_weight = settings_text(k, o->class_weight, "class_weight");
    t.resume = o->resume;
    t.checkpoint_every = given_or_zero(o->checkpoint_every);
    t.step_losses = o->steps_json;
    t.on_epoch = on_epoch;
    t.self = j;
    j->train = t;
}

static qs_status choose_folder(job *j, qs_error *err)
{
    j->train.out = j->o->no_out ? NULL : j->o->out ? j->o->out : j->o->resume;
    if (j->train.out || j->o->no_out)
        return QS_OK;
    const qs_status s = folder_make(qs_model_name(j->model), j->folder, sizeof j->folder, err);
    if (s == QS_OK)
        j->train.out = j->folder;
    else
        j->folder[0] = '\0';
    return s;
}

static json_t *count_or_null(size_t n)
{
    return n ? json_count(n) : json_null();
}

static json_t *choice_json(qs_choice c)
{
    return c == QS_AUTO ? json_null() : json_text(c == QS_ON ? "true" : "false");
}

/* By the names that settings_text() asks for, so that a resumed run finds them. */
static json_t *settings_json(const job *j)
{
    const qs_train_options *t = &j->train;
    json_t *out = json_object();
    json_object_set_new(out, "model", json_text(j->model_path));
    json_object_set_new(out, "data.train", json_text(j->plan.train));
    json_object_set_new(out, "data.valid", json_text(j->plan.valid));
    json_object_set_new(out, "data.test", json_text(j->plan.test));
    json_object_set_new(out, "data.scale", json_text(j->plan.scale));
    json_object_set_new(out, "data.validation_split",
                        j->plan.valid_split > 0 ? json_number(j->plan.valid_split) : json_null());
    json_object_set_new(out, "data.shuffle", choice_json(t->shuffle));
    json_object_set_new(out, "loss", json_text(t->loss));
    json_object_set_new(out, "optimizer", json_text(t->optimizer));
    json_object_set_new(out, "learning_rate", json_text(t->learning_rate));
    json_object_set_new(out, "metrics", json_text(t->metrics));
    json_object_set_new(out, "weighted_metrics", json_text(t->weighted_metrics));
    json_object_set_new(out, "batch_size", count_or_null(t->batch));
    json_object_set_new(out, "epochs", count_or_null(t->epochs));
    json_object_set_new(out, "seed", json_integer((json_int_t)t->seed));
    json_object_set_new(out, "precision", json_text(t->precision));
    json_object_set_new(out, "early_stopping", json_text(t->early_stop));
    json_object_set_new(out, "reduce_lr", json_text(t->reduce_lr));
    json_object_set_new(out, "class_weight", json_text(t->class_weight));
    json_object_set_new(out, "options", options_json(table, j->o));
    return out;
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

static qs_status begin_record(job *j, qs_error *err)
{
    j->record = json_object();
    json_object_set_new(j->record, "settings", settings_json(j));
    json_object_set_new(j->record, "environment", environment_json());
    json_object_set_new(j->record, "versions", versions_json());
    return write_record(j, json_null(), err);
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
    fprintf(stderr, "%s: %s parameters, %s, batch %zu, on %s (%d thread%s, %s, %s)\n",
            qs_model_name(j->model), text_count(qs_model_params(j->model), params), info.optimizer,
            info.batch, info.device, info.threads, info.threads == 1 ? "" : "s", info.precision,
            info.tier);
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
    interrupt_watch(j->run);
    const qs_status s = qs_run_train(j->run, result, err);
    interrupt_forget();
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
        const qs_status s = qs_model_save(j->model, j->o->save, 0, err);
        if (s != QS_OK)
            return s;
        note_saved(j, NULL, j->o->save);
    }
    if (r->folder) {
        note_saved(j, r->folder, "model.keras");
        note_saved(j, r->folder, "best.keras");
    }
    return QS_OK;
}

static void print_ways_on(const job *j, const qs_result *r, int stopped)
{
    size_t i;
    json_t *path;
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
    qs_status s = check_options(j->o, err);
    if (s == QS_OK)
        s = open_model(j, err);
    j->startup_s = clock_elapsed();
    if (s == QS_OK)
        s = open_samples(j, err);
    if (s != QS_OK)
        return s;
    fill_train_options(j);
    s = choose_folder(j, err);
    if (s == QS_OK)
        s = qs_run_open(j->model, j->data.train, j->data.valid, j->data.test, &j->train, &j->run,
                        err);
    if (s == QS_OK)
        s = begin_record(j, err);
    if (s != QS_OK)
        return s;
    print_header(j);
    s = train(j, &r, err);
    return s == QS_OK || s == QS_E_STOPPED ? conclude(j, &r, s, result, err) : s;
}

static qs_status run(const invocation *in, json_t *result, qs_error *err)
{
    const options *o = in->options;
    job j = {.in = in, .o = o, .saved = json_array(), .events = {.folder = o->tensorboard}};
    progress_begin(&j.shown, in->quiet);
    const qs_status s = run_job(&j, result, err);
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
    .options = table,
    .run = run,
};
