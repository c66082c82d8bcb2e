/* SPDX-License-Identifier: MIT */
/* settings.c - what a run was asked for, as texts that a resumed run is held to. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "nn/optim.h"
#include "train/run.h"

enum { NUMBER_TEXT = 24, LOOKED_AT = 16 };

const char *qs_run_text(const qs_model *model, const char *option, const char *key,
                        const char *preset)
{
    const char *text = option ? option : qs_model_setting(model, key);
    return text ? text : preset;
}

static int set_number(json_t *all, const char *key, unsigned long long n)
{
    char text[NUMBER_TEXT];
    snprintf(text, sizeof text, "%llu", n);
    return json_object_set_new(all, key, json_string(text));
}

/* The same optimizer however it was spelt. */
static qs_status set_optimizer(json_t *all, const char *text, qs_error *err)
{
    qs_arena arena = {0};
    const qs_spec *spec = NULL;
    qs_status status = qs_spec_parse(&arena, &qs_optim_registry, text, &spec, err);
    char *canonical = status == QS_OK ? qs_spec_text(spec) : NULL;
    if (status == QS_OK &&
        (!canonical || json_object_set_new(all, "optimizer", json_string(canonical))))
        status = qs_fail_memory(err, (double)strlen(text), "the optimizer's name");
    qs_free(canonical);
    qs_arena_free(&arena);
    return status;
}

static int set_rows(json_t *all, const char *key, const qs_data *data)
{
    char shape[QS_SHAPE_TEXT], text[QS_SHAPE_TEXT + 64];
    if (!data)
        return json_object_set_new(all, key, json_string("none"));
    snprintf(text, sizeof text, "%zu rows of %s %s", data->rows, qs_dtype_name(data->x_type),
             qs_shape_text(&data->sample, shape));
    return json_object_set_new(all, key, json_string(text));
}

/* A few rows of a set as a number that tells it from another of the same shape. */
static uint64_t fingerprint(const qs_data *data)
{
    const size_t bytes = qs_shape_count(&data->sample) * qs_dtype_bytes(data->x_type);
    uint64_t key = 0;
    for (size_t i = 0; data->x && i < LOOKED_AT; i++) {
        const size_t row = i * (data->rows - 1) / (LOOKED_AT - 1);
        const unsigned char *x = (const unsigned char *)data->x + row * bytes;
        for (size_t k = 0; k < bytes; k++)
            key = qs_mix64(key ^ x[k]);
    }
    return key;
}

/* Every layer with its options, as one text. */
static qs_status set_layers(json_t *all, const qs_model *model, qs_error *err)
{
    char input[QS_SHAPE_TEXT];
    char *text = qs_strdup(qs_shape_text(&model->input, input));
    for (int i = 0; text && i < model->layers; i++) {
        const qs_layer *layer = &model->layer[i];
        char *one = qs_spec_text(layer->spec);
        char *longer =
            one ? qs_format("%s > %s%s", text, one, layer->trainable ? "" : " (frozen)") : NULL;
        qs_free(one);
        qs_free(text);
        text = longer;
    }
    const bool failed = !text || json_object_set_new(all, "layers", json_string(text));
    qs_free(text);
    return failed ? qs_fail_memory(err, 1e3, "a description of the layers") : QS_OK;
}

static int set_text(json_t *all, const char *key, const char *text)
{
    return json_object_set_new(all, key, json_string(text));
}

/* Those that are plain text; 0 on success. */
static int set_texts(json_t *all, const qs_run *run, const qs_trainer_info *info)
{
    const qs_train_options *o = &run->options;
    const qs_model *m = run->model;
    const char *scale = run->train->scale;
    return set_text(all, "precision", info->precision) | set_text(all, "loss", info->loss) |
           set_text(all, "learning rate",
                    qs_run_text(m, o->learning_rate, "learning_rate", "the optimizer's")) |
           set_text(all, "shuffle", run->options.shuffle == QS_ON ? "on" : "off") |
           set_text(all, "scale", scale ? scale : "none") |
           set_text(all, "class-weight", qs_run_text(m, o->class_weight, "class_weight", "none")) |
           set_text(all, "early-stop", qs_run_text(m, o->early_stop, "early_stopping", "none")) |
           set_text(all, "reduce-lr", qs_run_text(m, o->reduce_lr, "reduce_lr", "none"));
}

qs_status qs_run_settings(const qs_run *run, json_t **out, qs_error *err)
{
    qs_trainer_info info;
    qs_trainer_describe(run->trainer, &info);
    json_t *all = json_object();
    if (!all || set_number(all, "parameters", qs_model_params(run->model)) ||
        set_rows(all, "training data", run->train) ||
        set_number(all, "fingerprint of the training data", fingerprint(run->train)) ||
        set_rows(all, "validation data", run->valid) || set_number(all, "batch", info.batch) ||
        set_number(all, "seed", run->options.seed) || set_texts(all, run, &info)) {
        json_decref(all);
        return qs_fail_memory(err, 1e3, "the settings");
    }
    qs_status status = set_optimizer(
        all, qs_run_text(run->model, run->options.optimizer, "optimizer", "nadam"), err);
    if (status == QS_OK)
        status = set_layers(all, run->model, err);
    if (status == QS_OK)
        *out = all;
    else
        json_decref(all);
    return status;
}
