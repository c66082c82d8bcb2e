/* SPDX-License-Identifier: MIT */
/* cmd_info.c - what a model or data file holds, and what a training step of it costs. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "quickstep/data.h"
#include "quickstep/device.h"
#include "quickstep/model.h"
#include "report.h"
#include "text.h"

typedef struct options {
    int64_t batch;
    const char *device;
} options;

_Static_assert(sizeof(options) <= OPTIONS_BYTES, "raise OPTIONS_BYTES");

#define AT(field) offsetof(options, field)
static const option table[] = {
    {"batch", OPT_COUNT, AT(batch), "N", "Samples in a step", "128", .min = 1, .max = 1 << 24},
    {"device", OPT_TEXT, AT(device), "D", "Device that the step is for: auto, cpu",
     .env = "QUICKSTEP_DEVICE"},
    {0},
};
#undef AT

static json_t *shape_json(const size_t *dim, int rank)
{
    json_t *out = json_array();
    for (int i = 0; i < rank; i++)
        json_array_append_new(out, json_count(dim[i]));
    return out;
}

static size_t elements(const qs_weight_info *weight)
{
    size_t n = 1;
    for (int i = 0; i < weight->rank; i++)
        n *= weight->shape[i];
    return n;
}

static json_t *layer_json(const qs_layer_info *l)
{
    json_t *out = json_object();
    json_object_set_new(out, "name", json_text(l->name));
    json_object_set_new(out, "type", json_text(l->type));
    json_object_set_new(out, "output", shape_json(l->output, l->rank));
    json_object_set_new(out, "params", json_count(l->params));
    json_object_set_new(out, "trainable", json_boolean(l->trainable));
    json_object_set_new(out, "options", json_text(l->options));
    return out;
}

static qs_status layers_json(const qs_model *model, json_t *out, qs_error *err)
{
    for (size_t i = 0; i < qs_model_layers(model); i++) {
        qs_layer_info layer;
        const qs_status s = qs_model_layer(model, i, &layer, err);
        if (s != QS_OK)
            return s;
        json_array_append_new(out, layer_json(&layer));
    }
    return QS_OK;
}

static json_t *bytes_json(const qs_cost *c)
{
    json_t *out = json_object();
    json_object_set_new(out, "weights", json_count(c->weight_bytes));
    json_object_set_new(out, "optimizer", json_count(c->optimizer_bytes));
    json_object_set_new(out, "activations", json_count(c->activation_bytes));
    json_object_set_new(out, "total",
                        json_count(c->weight_bytes + c->optimizer_bytes + c->activation_bytes));
    return out;
}

static qs_status model_json(const qs_model *model, size_t batch, json_t *out, qs_error *err)
{
    qs_cost cost;
    qs_status s = qs_model_cost(model, batch, &cost, err);
    if (s != QS_OK)
        return s;
    int rank;
    size_t shape[QS_MAX_RANK];
    qs_model_input(model, &rank, shape);
    json_t *layers = json_array();
    json_object_set_new(out, "format", json_text(qs_model_format(model)));
    json_object_set_new(out, "name", json_text(qs_model_name(model)));
    json_object_set_new(out, "params", json_count(qs_model_params(model)));
    json_object_set_new(out, "input", shape_json(shape, rank));
    json_object_set_new(out, "layers", layers);
    s = layers_json(model, layers, err);
    json_object_set_new(out, "batch", json_count(batch));
    json_object_set_new(out, "gflops_per_step", json_number(cost.train_flops / 1e9));
    json_object_set_new(out, "gflops_per_predict", json_number(cost.predict_flops / 1e9));
    json_object_set_new(out, "bytes", bytes_json(&cost));
    json_object_set_new(out, "launches_per_step", json_count(cost.calls));
    return s;
}

static qs_status print_layers(const qs_model *model, qs_error *err)
{
    printf("%-24s %-16s %-14s %12s\n", "layer", "type", "output", "parameters");
    for (size_t i = 0; i < qs_model_layers(model); i++) {
        qs_layer_info layer;
        char shape[TEXT_BYTES], params[TEXT_BYTES];
        const qs_status s = qs_model_layer(model, i, &layer, err);
        if (s != QS_OK)
            return s;
        printf("%-24s %-16s %-14s %12s%s\n", layer.name, layer.type,
               text_shape(layer.output, layer.rank, shape), text_count(layer.params, params),
               layer.trainable || !layer.params ? "" : "  frozen");
    }
    return QS_OK;
}

static qs_status print_model(const qs_model *model, size_t batch, qs_error *err)
{
    qs_cost cost;
    qs_status s = qs_model_cost(model, batch, &cost, err);
    if (s != QS_OK)
        return s;
    int rank;
    size_t shape[QS_MAX_RANK];
    char text[4][TEXT_BYTES];
    qs_model_input(model, &rank, shape);
    printf("%s (%s), input %s\n\n", qs_model_name(model), qs_model_format(model),
           text_shape(shape, rank, text[0]));
    s = print_layers(model, err);
    printf("\n%s parameters; a training step of %zu samples: %.4g GFLOP, %zu calls\n",
           text_count(qs_model_params(model), text[0]), batch, cost.train_flops / 1e9, cost.calls);
    printf("memory: weights %s, optimizer %s, activations %s\n",
           text_bytes((double)cost.weight_bytes, text[1]),
           text_bytes((double)cost.optimizer_bytes, text[2]),
           text_bytes((double)cost.activation_bytes, text[3]));
    return s;
}

static void data_json(const qs_data_info *d, json_t *out)
{
    json_object_set_new(out, "format", json_text("data"));
    json_object_set_new(out, "name", json_text(d->name));
    json_object_set_new(out, "params", json_null());
    json_object_set_new(out, "layers", json_array());
    json_object_set_new(out, "samples", json_count(d->rows));
    json_object_set_new(out, "shape", shape_json(d->shape, d->rank));
    json_object_set_new(out, "dtype", json_text(qs_dtype_name(d->dtype)));
    json_object_set_new(out, "classes", d->classes ? json_count(d->classes) : json_null());
    json_object_set_new(out, "outputs", d->outputs ? json_count(d->outputs) : json_null());
    json_object_set_new(out, "labels", json_boolean(d->has_labels));
    json_object_set_new(out, "weights", json_boolean(d->has_weights));
    json_object_set_new(out, "test", json_text(d->test));
}

static void print_data(const qs_data_info *d)
{
    char rows[TEXT_BYTES], shape[TEXT_BYTES];
    printf("%s (data): %s samples of %s %s", d->name, text_count(d->rows, rows),
           text_shape(d->shape, d->rank, shape), qs_dtype_name(d->dtype));
    if (d->classes)
        printf(", %zu classes", d->classes);
    else if (d->outputs)
        printf(", %zu outputs", d->outputs);
    puts(d->has_weights ? ", with sample weights" : "");
    if (d->test)
        printf("test part: %s\n", d->test);
}

static qs_status weights_json(const qs_weight_file *file, json_t *out, qs_error *err)
{
    size_t params = 0;
    json_t *weights = json_array();
    json_object_set_new(out, "weights", weights);
    for (size_t i = 0; i < qs_weight_file_count(file); i++) {
        qs_weight_info info;
        const qs_status s = qs_weight_file_entry(file, i, &info, err);
        if (s != QS_OK)
            return s;
        json_t *one = json_object();
        json_object_set_new(one, "name", json_text(info.name));
        json_object_set_new(one, "shape", shape_json(info.shape, info.rank));
        json_array_append_new(weights, one);
        params += elements(&info);
    }
    json_object_set_new(out, "format", json_text(qs_weight_file_format(file)));
    json_object_set_new(out, "params", json_count(params));
    json_object_set_new(out, "layers", json_array());
    return QS_OK;
}

static qs_status print_weights(const qs_weight_file *file, qs_error *err)
{
    printf("%zu weights alone (%s)\n\n", qs_weight_file_count(file), qs_weight_file_format(file));
    for (size_t i = 0; i < qs_weight_file_count(file); i++) {
        qs_weight_info info;
        char shape[TEXT_BYTES], params[TEXT_BYTES];
        const qs_status s = qs_weight_file_entry(file, i, &info, err);
        if (s != QS_OK)
            return s;
        printf("%-48s %-14s %12s\n", info.name, text_shape(info.shape, info.rank, shape),
               text_count(elements(&info), params));
    }
    return QS_OK;
}

/* The file is neither model nor data: perhaps it holds weights alone. Otherwise the first error
 * stands. */
static qs_status show_weights(const invocation *in, json_t *result, qs_error *err)
{
    qs_weight_file *file;
    qs_error second;
    const qs_status first = err->code;
    if (first != QS_E_FORMAT || qs_weight_file_open(in->operand[0], &file, &second) != QS_OK)
        return first;
    const qs_status s = in->json ? weights_json(file, result, err) : print_weights(file, err);
    qs_weight_file_close(file);
    return s;
}

static int ends_like_model(const char *path)
{
    static const char *const endings[] = {".keras", ".json", ".yaml", ".yml"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(text_ending(path), endings[i]) == 0)
            return 1;
    return 0;
}

/* The file is no model: perhaps it is a data set. Otherwise the model's error stands. */
static qs_status show_data(const invocation *in, json_t *result, qs_error *err)
{
    qs_data *data;
    qs_error second;
    const qs_status first = err->code;
    if (ends_like_model(in->operand[0]))
        return first;
    if (qs_data_open(in->operand[0], NULL, &data, &second) != QS_OK)
        return show_weights(in, result, err);
    qs_data_info info;
    qs_data_describe(data, &info);
    if (in->json)
        data_json(&info, result);
    else
        print_data(&info);
    qs_data_close(data);
    return QS_OK;
}

enum { MOST_DEVICES = 32 };

static qs_status check_device(const char *name, qs_error *err)
{
    const char *names[MOST_DEVICES + 1] = {"auto"};
    char near[256];
    size_t n = 1;
    qs_device_info device;
    if (!name || strncmp(name, "auto", 4) == 0)
        return QS_OK;
    for (int i = 0; i < qs_device_count() && n < MOST_DEVICES; i++)
        if (qs_device_describe(i, &device, err) == QS_OK) {
            if (strcmp(device.name, name) == 0)
                return QS_OK;
            names[n++] = device.name;
        }
    return fail(err, QS_E_ARG,
                "--device: there is no device '%s'%s; 'quickstep devices' lists them", name,
                qs_nearest(name, names, near, sizeof near));
}

static qs_status run(const invocation *in, json_t *result, qs_error *err)
{
    const options *o = in->options;
    qs_model *model;
    qs_status s = check_device(o->device, err);
    if (s != QS_OK)
        return s;
    if (qs_model_open(in->operand[0], &model, err) != QS_OK)
        return show_data(in, result, err);
    s = in->json ? model_json(model, (size_t)o->batch, result, err)
                 : print_model(model, (size_t)o->batch, err);
    qs_model_close(model);
    return s;
}

const command command_info = {
    .name = "info",
    .operands = "FILE",
    .summary = "Show a model's layers, size and cost, or what a data file holds",
    .examples = "quickstep info model.keras\nquickstep info recipe.yaml --batch 32 --json",
    .min_operands = 1,
    .max_operands = 1,
    .options = table,
    .run = run,
};
