/* SPDX-License-Identifier: MIT */
/* cmd_predict.c - a model's outputs for a set, as a file; and how fast single samples go. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array_file.h"
#include "command.h"
#include "folder.h"
#include "latency.h"
#include "report.h"
#include "subject.h"
#include "text.h"

typedef struct options {
    subject_options subject;
    const char *out;
    int64_t latency;
} options;

_Static_assert(sizeof(options) <= OPTIONS_BYTES, "raise OPTIONS_BYTES");

#define AT(field) offsetof(options, field)
static const option table[] = {
    SUBJECT_OPTIONS(options, subject),
    {"out", OPT_TEXT, AT(out), "FILE", "Where the outputs go: .npy, .npz (array y) or .csv",
     .choices = "/"},
    {"latency", OPT_COUNT, AT(latency), "N", "Time N single samples one by one, too", .min = 1,
     .max = 1e7},
    {0},
};
#undef AT

/* [rows, output of the last layer] */
typedef struct outputs {
    float *values; /* owned */
    size_t dim[QS_MAX_RANK + 1];
    int rank;
} outputs;

static qs_status outputs_alloc(const subject *s, outputs *y, qs_error *err)
{
    qs_data_info data;
    qs_layer_info last = {.rank = 1, .output = {qs_model_outputs(s->model)}};
    qs_data_describe(s->data, &data);
    if (qs_model_layers(s->model))
        qs_model_layer(s->model, qs_model_layers(s->model) - 1, &last, err);
    y->rank = last.rank + 1;
    y->dim[0] = data.rows;
    memcpy(y->dim + 1, last.output, sizeof last.output);
    y->values = calloc(data.rows * qs_model_outputs(s->model), sizeof *y->values);
    return y->values ? QS_OK
                     : fail(err, QS_E_NOMEM, "outputs of %zu samples: out of memory", data.rows);
}

static qs_status predict(const subject *s, const options *o, outputs *y, latency *speed,
                         qs_error *err)
{
    qs_status status = outputs_alloc(s, y, err);
    if (status == QS_OK)
        status = qs_trainer_predict_data(s->trainer, s->data, y->values, err);
    if (status == QS_OK && o->out) {
        const array_view view = {y->values, y->rank, y->dim};
        status = array_file_write(o->out, &view, err);
    }
    if (status == QS_OK && o->latency > 0)
        status = latency_measure(s->model, s->trainer, (size_t)o->latency, speed, err);
    return status;
}

static json_t *latency_json(const latency *l)
{
    json_t *out = json_object();
    json_object_set_new(out, "median", json_number(l->median));
    json_object_set_new(out, "p99", json_number(l->p99));
    json_object_set_new(out, "floor", json_number(l->floor));
    return out;
}

static void result_json(const invocation *in, const outputs *y, const latency *speed, json_t *out)
{
    const options *o = in->options;
    json_t *shape = json_array();
    json_object_set_new(out, "model", json_text(in->operand[0]));
    for (int i = 0; i < y->rank; i++)
        json_array_append_new(shape, json_count(y->dim[i]));
    json_object_set_new(out, "samples", json_count(y->dim[0]));
    json_object_set_new(out, "shape", shape);
    json_object_set_new(out, "out", json_text(o->out));
    if (o->latency > 0)
        json_object_set_new(out, "latency_us", latency_json(speed));
}

static void print(const options *o, const outputs *y, const latency *speed, int quiet)
{
    char rows[TEXT_BYTES], shape[TEXT_BYTES];
    if (o->latency > 0)
        printf("latency: median %.1f us, 99 %% within %.1f us, floor %.1f us (weights read once)\n",
               speed->median, speed->p99, speed->floor);
    if (o->out && !quiet)
        fprintf(stderr, "saved %s: %s samples, shape %s\n", o->out, text_count(y->dim[0], rows),
                text_shape(y->dim, y->rank, shape));
}

static qs_status check_options(const options *o, qs_error *err)
{
    if (!o->out && o->latency <= 0)
        return fail(err, QS_E_ARG,
                    "--out: where should the outputs go? Give --out FILE.npy, .npz or .csv; or "
                    "--latency N to measure only");
    if (!o->out)
        return QS_OK;
    const qs_status s = array_file_check(o->out, err);
    return s == QS_OK ? folder_check("--out", o->out, err) : s;
}

static qs_status run(const invocation *in, json_t *result, qs_error *err)
{
    const options *o = in->options;
    qs_train_options train = QS_TRAIN_OPTIONS;
    subject s = {0};
    outputs y = {0};
    latency speed = {0};
    qs_status status = check_options(o, err);
    if (status == QS_OK)
        status = subject_open(in, &o->subject, &train, &s, err);
    if (status != QS_OK)
        return status;
    status = predict(&s, o, &y, &speed, err);
    if (status == QS_OK && in->json)
        result_json(in, &y, &speed, result);
    else if (status == QS_OK)
        print(o, &y, &speed, in->quiet);
    free(y.values);
    subject_close(&s);
    return status;
}

const command command_predict = {
    .name = "predict",
    .operands = "MODEL",
    .summary = "Compute a model's outputs for a set",
    .details = "For a run's folder the set and its scaling are those of the run.",
    .examples = "quickstep predict net.keras --data x.npz --out outputs.npy\n"
                "quickstep predict runs/2026-01-31-net-1 --latency 1000",
    .min_operands = 1,
    .max_operands = 1,
    .options = table,
    .run = run,
};
