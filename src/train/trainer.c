/* SPDX-License-Identifier: MIT */
/* trainer.c - the compiled step: what the user said becomes specs, a program and an executor. */
#include "train/trainer.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/memory.h"
#include "base/number.h"
#include "device/cpu/cpu.h"
#include "nn/loss.h"
#include "nn/schedule.h"
#include "quickstep/status.h"
#include "train/trainer_parts.h"

/* The option, or what the model was compiled with, or the fall-back. */
static const char *choose(const char *option, const qs_model *model, const char *key,
                          const char *fallback)
{
    const char *setting = qs_model_setting(model, key);
    return option ? option : setting ? setting : fallback;
}

static const char *copied(qs_trainer *t, const char *text)
{
    const size_t n = strlen(text) + 1;
    char *copy = qs_arena_alloc(&t->arena, n, 1);
    return copy ? memcpy(copy, text, n) : "";
}

/* "accuracy,top_k_categorical_accuracy:k=2" goes behind the metrics there are. */
static qs_status read_metrics(qs_trainer *t, const char *text, bool weighted, qs_error *err)
{
    const char *part;
    size_t bytes;
    qs_compile_options *o = &t->compile;
    while (qs_spec_next(&text, &part, &bytes)) {
        if (o->metrics == QS_MAX_METRICS)
            return qs_fail(err, QS_E_ARG, "more than %d metrics; leave some out", QS_MAX_METRICS);
        char *one = qs_strndup(part, bytes);
        if (!one)
            return qs_fail_memory(err, (double)bytes, "a metric");
        const qs_status status =
            qs_spec_parse(&t->arena, &qs_metric_registry, one, &o->metric[o->metrics], err);
        if (status == QS_OK) {
            t->metric_name[o->metrics] = copied(t, strcmp(one, "acc") == 0 ? "accuracy" : one);
            o->weighted[o->metrics++] = weighted;
        }
        qs_free(one);
        QS_TRY(status);
    }
    return QS_OK;
}

/* What Keras calls a metric in its history: the name that it was given, else the word it was asked
 * for by ("mae"). */
static const char *metric_name(qs_trainer *t, const qs_spec *spec, const char *word)
{
    const qs_value *given = qs_spec_value(spec, "name");
    const size_t n = strcspn(word, ":");
    if (given->text && strcmp(given->text, spec->kind->name) != 0)
        return given->text;
    char *name = qs_arena_alloc(&t->arena, n + 1, 1);
    return name ? memcpy(name, word, n) : word;
}

/* Among plain and weighted metrics of one name, Keras calls the later one "weighted_…". */
static void tell_apart(qs_trainer *t, int m)
{
    for (int k = 0; k < m; k++)
        if (strcmp(t->metric_name[k], t->metric_name[m]) == 0) {
            const size_t n = strlen(t->metric_name[m]) + sizeof "weighted_";
            char *name = qs_arena_alloc(&t->arena, n, 1);
            if (name)
                snprintf(name, n, "weighted_%s", t->metric_name[m]);
            t->metric_name[m] = name ? name : t->metric_name[m];
            return;
        }
}

static void name_metrics(qs_trainer *t)
{
    for (int m = 0; m < t->compile.metrics; m++) {
        const qs_spec *spec = t->compile.metric[m];
        t->metric[m] = qs_metric_resolve((const qs_metric_kind *)spec->kind, t->outputs);
        t->zero_one |= t->metric[m]->wants_zero_one;
        t->metric_name[m] = metric_name(t, spec, t->metric_name[m]);
        if (t->compile.weighted[m])
            tell_apart(t, m);
    }
}

static qs_status read_rate(qs_trainer *t, const char *text, qs_error *err)
{
    const qs_value *own = qs_spec_value(t->compile.optimizer, "learning_rate");
    t->schedule = own->spec;
    t->learning_rate = own->number;
    if (!text)
        return own->spec ? qs_schedule_check(own->spec, err) : QS_OK;
    double rate;
    if (qs_number_parse(text, strlen(text), &rate)) {
        if (!(rate >= 0 && rate <= 1e9))
            return qs_fail(err, QS_E_ARG, "learning rate %g; it must be in [0, 1e9]", rate);
        t->learning_rate = rate;
        t->schedule = NULL;
        return QS_OK;
    }
    qs_status status = qs_spec_parse(&t->arena, &qs_schedule_registry, text, &t->schedule, err);
    if (status == QS_OK && t->schedule)
        status = qs_schedule_check(t->schedule, err);
    return qs_context(err, status, "learning rate");
}

static qs_status read_specs(qs_trainer *t, const qs_train_options *o, qs_error *err)
{
    const qs_model *m = t->model;
    t->loss_text = copied(t, choose(o->loss, m, "loss", "categorical_crossentropy"));
    t->optimizer_text = copied(t, choose(o->optimizer, m, "optimizer", "nadam"));
    QS_TRY(qs_spec_parse(&t->arena, &qs_loss_registry, t->loss_text, &t->compile.loss, err));
    QS_TRY(qs_spec_parse(&t->arena, &qs_optim_registry, t->optimizer_text, &t->compile.optimizer,
                         err));
    const qs_loss_kind *loss = (const qs_loss_kind *)t->compile.loss->kind;
    t->zero_one = loss->wants_zero_one;
    QS_TRY(read_metrics(t, choose(o->metrics, m, "metrics", loss->accuracy ? "accuracy" : ""),
                        false, err));
    QS_TRY(read_metrics(t, choose(o->weighted_metrics, m, "weighted_metrics", ""), true, err));
    /* --optimizer without --lr means that optimizer's own rate, not the model's */
    const char *rate = o->optimizer && !o->learning_rate
                           ? NULL
                           : choose(o->learning_rate, m, "learning_rate", NULL);
    return read_rate(t, rate, err);
}

static qs_status check_device(qs_trainer *t, const qs_train_options *o, qs_error *err)
{
    static const char *const precisions[] = {"f32", "bf16", "f16", "tf32", NULL};
    static const char *const devices[] = {"auto", "cpu", NULL};
    char near[128];
    const char *device = o->device ? o->device : "auto";
    const char *precision = choose(o->precision, t->model, "precision", "f32");
    if (strncmp(device, "auto", 4) != 0 && strcmp(device, "cpu") != 0)
        return qs_fail(err, QS_E_UNSUPPORTED, "device '%s' is not there%s; use cpu", device,
                       qs_nearest(device, devices, near, sizeof near));
    if (strcmp(precision, "f32") != 0)
        return qs_fail(err, QS_E_UNSUPPORTED, "precision '%s' cannot be done%s; use f32", precision,
                       qs_nearest(precision, precisions, near, sizeof near));
    t->device_reason = strcmp(device, "cpu") == 0 ? "asked for" : "the only device here";
    return QS_OK;
}

static qs_status read_batch(qs_trainer *t, const qs_train_options *o, qs_error *err)
{
    const char *setting = qs_model_setting(t->model, "batch_size");
    int64_t batch = 128;
    if (setting && (!qs_integer_parse(setting, strlen(setting), &batch) || batch < 1))
        return qs_fail(err, QS_E_ARG, "batch_size %s; it must be a number from 1", setting);
    t->batch = o->batch ? o->batch : (size_t)batch;
    if (t->batch > (size_t)1 << 30)
        return qs_fail(err, QS_E_ARG, "batch %zu; at most %d samples can go together", t->batch,
                       1 << 30);
    return QS_OK;
}

/* An optimizer that is asked for begins anew, as after Keras' compile(); a rate that is asked for
 * holds, whatever was saved. */
static qs_status load(qs_trainer *t, const qs_train_options *o, qs_error *err)
{
    const double rate = t->learning_rate;
    if (o->optimizer)
        qs_trainer_begin(t, t->model, false);
    else
        QS_TRY(qs_trainer_load(t, t->model, err));
    if (o->learning_rate)
        t->learning_rate = rate;
    return QS_OK;
}

/* Why a forward call is not part of its neighbour's; NULL where there is nothing to say. */
static const char *off_path(const qs_call *c)
{
    if (c->section != QS_FORWARD || c->layer < 0 || !(c->modes & QS_TRAIN))
        return NULL;
    switch (c->op) {
    case QS_OP_activation:
        return c->dim[7] ? "its slope needs its input, so it is a pass of its own"
                         : "it does not follow a dense layer, so it is a pass of its own";
    case QS_OP_softmax:
    case QS_OP_log_softmax:
        return "softmax that no loss takes in is a pass of its own";
    case QS_OP_dropout:
        return "it does not follow a dense layer directly, so it is a pass of its own";
    case QS_OP_noise:
    case QS_OP_affine:
    case QS_OP_prelu:
        return "it is a pass of its own";
    case QS_OP_batch_norm:
        return "statistics over the batch make all threads meet twice";
    case QS_OP_layer_norm:
        return "statistics over a sample are passes of their own";
    default:
        return NULL;
    }
}

static qs_status write_notes(qs_trainer *t, qs_error *err)
{
    t->notes = qs_strdup("");
    for (size_t k = 0; t->notes && k < t->program->calls; k++) {
        const qs_call *c = &t->program->call[k];
        const char *why = off_path(c);
        if (!why)
            continue;
        char *more = qs_format("%s%s%s: %s", t->notes, *t->notes ? "\n" : "",
                               t->model->layer[c->layer].name, why);
        qs_free(t->notes);
        t->notes = more;
    }
    return t->notes ? QS_OK : qs_fail_memory(err, 1e3, "notes");
}

/* Before weights are drawn, which takes a while where they fill a machine: theirs, and the step's own
 * with what the optimizer keeps. The step itself is looked at when it is known. */
static qs_status check_memory(const qs_trainer *t, qs_error *err)
{
    const qs_model *m = t->model;
    const int slots = qs_optim_form_of(t->compile.optimizer)->slots;
    const bool drawn = m->weights && m->weight[0].data;
    return qs_memory_check(4.0 * (double)qs_model_params(m) * (1 + slots + !drawn),
                           "this model with its optimizer", err);
}

static qs_status build(qs_trainer *t, const qs_train_options *o, size_t rows, qs_error *err)
{
    QS_TRY(check_device(t, o, err));
    QS_TRY(read_specs(t, o, err));
    QS_TRY(read_batch(t, o, err));
    t->seed = o->seed;
    t->outputs = qs_model_outputs(t->model);
    name_metrics(t);
    QS_TRY(check_memory(t, err));
    QS_TRY(qs_model_init(t->model, o->seed, err));
    t->compile.max_batch = qs_min(t->batch, rows);
    QS_TRY(qs_compile(t->model, &t->compile, &t->program, err));
    QS_TRY(write_notes(t, err));
    const int threads = o->threads > 0 ? o->threads : qs_cpu_threads();
    QS_TRY(qs_exec_open(t->program, threads, &t->exec, err));
    t->row = qs_calloc(t->compile.max_batch * t->outputs, sizeof *t->row);
    if (!t->row)
        return qs_fail_memory(err, 4.0 * (double)(t->compile.max_batch * t->outputs),
                              "a batch of outputs");
    return load(t, o, err);
}

qs_status qs_trainer_open(qs_model *model, const qs_train_options *options, qs_trainer **out,
                          qs_error *err)
{
    return qs_trainer_open_for(model, options, SIZE_MAX, out, err);
}

qs_status qs_trainer_open_for(qs_model *model, const qs_train_options *options, size_t rows,
                              qs_trainer **out, qs_error *err)
{
    const qs_train_options defaults = QS_TRAIN_OPTIONS;
    const size_t refusals = qs_alloc_refusals();
    qs_trainer *t = qs_calloc(1, sizeof *t);
    if (!t)
        return qs_fail_memory(err, sizeof *t, "a trainer");
    t->model = model;
    qs_status status = build(t, options ? options : &defaults, rows, err);
    status = qs_memory_verdict(refusals, status, "the training step", err);
    if (status != QS_OK) {
        qs_trainer_close(t);
        return status;
    }
    *out = t;
    return QS_OK;
}

void qs_trainer_describe(const qs_trainer *t, qs_trainer_info *out)
{
    *out = (qs_trainer_info){
        .device = "cpu",
        .device_reason = t->device_reason,
        .precision = "f32",
        .loss = t->loss_text,
        .optimizer = t->optimizer_text,
        .tier = "fused",
        .notes = t->notes,
        .threads = qs_exec_threads(t->exec),
        .batch = t->batch,
        .flops_per_step = t->program->train_flops * (double)t->batch,
        .arena_bytes = qs_exec_bytes(t->exec),
        .allocated_bytes = t->allocated,
        .learning_rate = qs_trainer_learning_rate(t),
        .steps = (size_t)t->iterations,
    };
}

void qs_trainer_listen(qs_trainer *t, const qs_tap *tap)
{
    qs_exec_set_tap(t->exec, tap);
}

const qs_program *qs_trainer_program(const qs_trainer *t)
{
    return t->program;
}

void qs_trainer_close(qs_trainer *t)
{
    if (!t)
        return;
    qs_exec_close(t->exec);
    qs_program_free(t->program);
    qs_arena_free(&t->arena);
    qs_free(t->row);
    qs_free(t->notes);
    qs_free(t);
}
