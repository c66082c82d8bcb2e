/* SPDX-License-Identifier: MIT */
/* train_options.c - what `train` can be told, and what it means for the library. */
#include "train_options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "folder.h"
#include "quickstep/model.h"
#include "report.h"

#define AT(field) offsetof(train_options, field)
const option train_option_table[] = {
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
    {"profile", OPT_FLAG, AT(profile),
     .help = "Write what ran when to trace.json.gz in the run's folder, for Perfetto"},
    {"steps-json", OPT_FLAG, AT(steps_json), .help = "Keep each step's loss for the JSON result"},
    {0},
};
#undef AT

static int ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n > m && strcmp(text + n - m, ending) == 0;
}

int train_saves_weights_only(const train_options *o)
{
    static const char *const endings[] = {".npz", ".safetensors", ".weights.h5"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (o->save && ends_with(o->save, endings[i]))
            return 1;
    return 0;
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

qs_status train_options_check(const train_options *o, qs_error *err)
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

/* Sets that a recipe names for validation and test go with the data that it names, not with others.
 */
void train_options_samples(const train_options *o, const settings *known, samples_plan *out)
{
    const settings *k = known;
    samples_plan *p = out;
    *p = (samples_plan){0};
    p->train = settings_text(k, o->data, "data.train");
    p->scale = settings_text(k, o->scale, "data.scale");
    p->valid =
        o->data || o->validation_split >= 0 ? o->valid : settings_text(k, o->valid, "data.valid");
    p->test = o->data ? o->test : settings_text(k, o->test, "data.test");
    p->own_test = 1;
    const double split = settings_number(k, o->validation_split, "data.validation_split");
    p->valid_split = !p->valid && split > 0 ? split : 0;
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

void train_options_fill(const train_options *o, const settings *known, qs_train_options *out)
{
    const settings *k = known;
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
    t.profile = o->profile;
    *out = t;
}

qs_status train_options_keep(const samples_plan *plan, const qs_train_options *t, qs_model *model,
                             qs_error *err)
{
    char split[32];
    snprintf(split, sizeof split, "%.15g", plan->valid_split);
    const struct {
        const char *key, *text;
    } kept[] = {
        {"loss", t->loss},
        {"optimizer", t->optimizer},
        {"learning_rate", t->learning_rate},
        {"metrics", t->metrics},
        {"weighted_metrics", t->weighted_metrics},
        {"data.train", plan->train},
        {"data.valid", plan->valid},
        {"data.test", plan->test},
        {"data.scale", plan->scale},
        {"data.validation_split", plan->valid_split > 0 ? split : NULL},
    };
    qs_status s = QS_OK;
    for (size_t i = 0; i < sizeof kept / sizeof *kept && s == QS_OK; i++)
        s = qs_model_set(model, kept[i].key, kept[i].text, err);
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

json_t *train_settings_json(const train_options *o, const samples_plan *plan,
                            const qs_train_options *t, const char *model)
{
    json_t *out = json_object();
    json_object_set_new(out, "model", json_text(model));
    json_object_set_new(out, "data.train", json_text(plan->train));
    json_object_set_new(out, "data.valid", json_text(plan->valid));
    json_object_set_new(out, "data.test", json_text(plan->test));
    json_object_set_new(out, "data.scale", json_text(plan->scale));
    json_object_set_new(out, "data.validation_split",
                        plan->valid_split > 0 ? json_number(plan->valid_split) : json_null());
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
    json_object_set_new(out, "options", options_json(train_option_table, o));
    return out;
}
