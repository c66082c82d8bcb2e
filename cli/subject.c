/* SPDX-License-Identifier: MIT */
/* subject.c - a finished model, the samples to show it, and a trainer that computes. */
#include "subject.h"

#include <stdio.h>

#include "report.h"

/* What to look at when the user does not say: the recipe's test set, or the test part of what was
 * trained on, or that itself. `from` keeps the set alive whose test part it is. */
static const char *default_spec(const settings *known, qs_data **from)
{
    const char *test = settings_text(known, NULL, "data.test");
    const char *train = settings_text(known, NULL, "data.train");
    if (test || !train || qs_data_open(train, NULL, from, NULL) != QS_OK)
        return test ? test : train;
    qs_data_info info;
    qs_data_describe(*from, &info);
    return info.test ? info.test : train;
}

static qs_status open_data(const subject_options *o, subject *s, qs_error *err)
{
    qs_data *from = NULL;
    const char *spec = o->data ? o->data : default_spec(&s->known, &from);
    if (!spec)
        return fail(err, QS_E_ARG,
                    "--data: the model does not say what it was trained on; give --data SPEC "
                    "('quickstep help data' lists the forms)");
    const qs_status status =
        samples_open_one(spec, settings_text(&s->known, o->scale, "data.scale"),
                         settings_text(&s->known, NULL, "data.train"), &s->set, err);
    qs_data_close(from);
    s->data = s->set.data;
    return status;
}

static qs_status open_trainer(const subject_options *o, qs_train_options *train, subject *s,
                              qs_error *err)
{
    train->loss = settings_text(&s->known, train->loss, "loss");
    train->metrics = settings_text(&s->known, train->metrics, "metrics");
    qs_data_info info;
    qs_data_describe(s->data, &info); /* no memory for samples that never come */
    train->batch = o->batch <= 0 ? 0 : (size_t)o->batch < info.rows ? (size_t)o->batch : info.rows;
    train->device = o->device;
    train->threads = o->threads > 0 ? (int)o->threads : 0;
    return qs_trainer_open(s->model, train, &s->trainer, err);
}

/* Weights that no file has set are drawn only when the trainer opens. */
static int untrained(const qs_model *model)
{
    qs_weight_info weight;
    return qs_model_weight(model, 0, &weight, NULL) == QS_OK && !weight.data;
}

qs_status subject_open(const invocation *in, const subject_options *o, qs_train_options *train,
                       subject *out, qs_error *err)
{
    subject s = {0};
    const char *path = in->operand[0];
    settings_open(&s.known, path);
    qs_status status = qs_model_open(path, &s.model, err);
    s.known.model = s.model;
    if (status == QS_OK && o->weights)
        status = qs_model_load_weights(s.model, o->weights, err);
    const int bare = status == QS_OK && untrained(s.model);
    if (status == QS_OK)
        status = open_data(o, &s, err);
    if (status == QS_OK)
        status = open_trainer(o, train, &s, err);
    if (status == QS_OK && bare && !in->quiet)
        fprintf(stderr, "note: %s has no trained weights; its initial ones are used\n", path);
    if (status == QS_OK)
        *out = s;
    else
        subject_close(&s);
    return status;
}

void subject_close(subject *s)
{
    qs_trainer_close(s->trainer);
    samples_close_one(&s->set);
    settings_close(&s->known);
    qs_model_close(s->model);
}
