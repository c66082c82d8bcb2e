/* SPDX-License-Identifier: MIT */
/* cmd_eval.c - loss, metrics and confusion of a model on a set. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "report.h"
#include "subject.h"
#include "text.h"

typedef struct options {
    subject_options subject;
    const char *loss, *metrics;
} options;

_Static_assert(sizeof(options) <= OPTIONS_BYTES, "raise OPTIONS_BYTES");

#define AT(field) offsetof(options, field)
static const option table[] = {
    SUBJECT_OPTIONS(options, subject),
    {"loss", OPT_TEXT, AT(loss), "NAME", "Loss; without it the model's own", .choices = "@losses"},
    {"metrics", OPT_TEXT, AT(metrics), "A,B", "Metrics; without it the model's own",
     .choices = "@metrics"},
    {0},
};
#undef AT

enum { MOST_CLASSES = 4096, MOST_PRINTED = 20 };

/* How often class i (row) was taken for class k (column). */
typedef struct confusion {
    uint64_t *count; /* [classes, classes] owned; NULL where there are no classes */
    size_t classes;
} confusion;

static qs_status confusion_alloc(const subject *s, confusion *c, qs_error *err)
{
    qs_data_info info;
    qs_data_describe(s->data, &info);
    const size_t outputs = qs_model_outputs(s->model);
    c->classes = outputs > 1 ? outputs : 2;
    const int one_hot = info.outputs > 1 && info.outputs == outputs;
    if ((!info.classes && !one_hot) || info.classes > c->classes || c->classes > MOST_CLASSES)
        return QS_OK;
    c->count = calloc(c->classes * c->classes, sizeof *c->count);
    return c->count ? QS_OK : fail(err, QS_E_NOMEM, "a table of %zu classes", c->classes);
}

static json_t *confusion_json(const confusion *c)
{
    if (!c->count)
        return json_null();
    json_t *rows = json_array();
    for (size_t i = 0; i < c->classes; i++) {
        json_t *row = json_array();
        for (size_t k = 0; k < c->classes; k++)
            json_array_append_new(row, json_count(c->count[i * c->classes + k]));
        json_array_append_new(rows, row);
    }
    return rows;
}

static void scores_json(const char *model, const qs_scores *scores, const confusion *c, json_t *out)
{
    json_object_set_new(out, "model", json_text(model));
    json_object_set_new(out, "loss", json_number(scores->loss));
    for (int i = 0; i < scores->metrics; i++)
        json_object_set_new(out, scores->name[i], json_number(scores->value[i]));
    json_object_set_new(out, "samples", json_count(scores->samples));
    json_object_set_new(out, "confusion", confusion_json(c));
}

static void class_label(const qs_data *data, size_t index, char *text)
{
    const char *name = qs_data_class_name(data, index);
    if (name)
        snprintf(text, TEXT_BYTES, "%.16s", name);
    else
        snprintf(text, TEXT_BYTES, "%zu", index);
}

static void print_class(const subject *s, const confusion *c, size_t i)
{
    char name[TEXT_BYTES];
    uint64_t all = 0;
    for (size_t k = 0; k < c->classes; k++)
        all += c->count[i * c->classes + k];
    class_label(s->data, i, name);
    printf("%16s", name);
    for (size_t k = 0; k < c->classes; k++)
        printf(" %5llu", (unsigned long long)c->count[i * c->classes + k]);
    if (all)
        printf("  %5.1f %%", 100.0 * (double)c->count[i * c->classes + i] / (double)all);
    putchar('\n');
}

static void print_confusion(const subject *s, const confusion *c)
{
    if (!c->count || c->classes > MOST_PRINTED)
        return;
    printf("\nrows: true class, columns: predicted class, right: found\n%16s", "");
    for (size_t k = 0; k < c->classes; k++)
        printf(" %5zu", k);
    putchar('\n');
    for (size_t i = 0; i < c->classes; i++)
        print_class(s, c, i);
}

static void print(const subject *s, const qs_scores *scores, const confusion *c)
{
    char rows[TEXT_BYTES];
    printf("loss %.4f", scores->loss);
    for (int i = 0; i < scores->metrics; i++)
        printf("  %s %.4f", scores->name[i], scores->value[i]);
    printf("  (%s samples)\n", text_count(scores->samples, rows));
    print_confusion(s, c);
}

static qs_status evaluate(const invocation *in, const subject *s, json_t *result, qs_error *err)
{
    confusion c = {0};
    qs_scores scores;
    qs_status status = confusion_alloc(s, &c, err);
    if (status == QS_OK)
        status = qs_trainer_evaluate(s->trainer, s->data, &scores, c.count, err);
    if (status == QS_OK && in->json)
        scores_json(in->operand[0], &scores, &c, result);
    else if (status == QS_OK)
        print(s, &scores, &c);
    free(c.count);
    return status;
}

static qs_status run(const invocation *in, json_t *result, qs_error *err)
{
    const options *o = in->options;
    qs_train_options train = QS_TRAIN_OPTIONS;
    train.loss = o->loss;
    train.metrics = o->metrics;
    subject s;
    qs_status status = subject_open(in, &o->subject, &train, &s, err);
    if (status != QS_OK)
        return status;
    status = evaluate(in, &s, result, err);
    subject_close(&s);
    return status;
}

const command command_eval = {
    .name = "eval",
    .operands = "MODEL",
    .summary = "Measure a model's loss and metrics on a set",
    .details = "For a run's folder the set and its scaling are those of the run.",
    .examples = "quickstep eval runs/2026-01-31-net-1\n"
                "quickstep eval net.keras --data digits:test --scale max --json",
    .min_operands = 1,
    .max_operands = 1,
    .options = table,
    .run = run,
};
