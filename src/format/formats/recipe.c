/* SPDX-License-Identifier: MIT */
/* recipe.c - YAML with the sections model, data and train. */
#include "format/recipe.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/memory.h"
#include "format/format.h"
#include "format/yaml_tree.h"

/* The only key that is no hidden one; NULL where there is not exactly one. */
static const char *only_key(const json_t *object)
{
    const char *key, *only = NULL;
    json_t *value;
    json_object_foreach ((json_t *)object, key, value) {
        if (*key == QS_HIDDEN)
            continue;
        if (only)
            return NULL;
        only = key;
    }
    return only;
}

/* A copy of the layer without the arguments that are the model's, not the layer's. */
static json_t *bare_layer(const json_t *layer, const char *type)
{
    json_t *args = json_copy(json_object_get(layer, type)), *bare = json_copy((json_t *)layer);
    json_object_del(args, "name");
    json_object_del(args, "trainable");
    if (json_object_set_new(bare, type, args)) {
        json_decref(bare);
        return NULL;
    }
    return bare;
}

static qs_status add_layer(qs_model *model, const json_t *layer, const char *name, bool trainable,
                           qs_error *err)
{
    const qs_spec *spec = NULL;
    QS_TRY(qs_spec_read(&model->arena, &qs_layer_registry, layer, &spec, err));
    if (!spec)
        return qs_fail(err, QS_E_ARG, "must name a layer, not null");
    return qs_model_add_spec(model, spec, name, trainable, err);
}

qs_status qs_recipe_layer(qs_model *model, const json_t *layer, qs_error *err)
{
    const char *type = json_is_object(layer) ? only_key(layer) : NULL;
    const json_t *args = type ? json_object_get(layer, type) : NULL;
    const json_t *name = json_object_get(args, "name");
    const json_t *trainable = json_object_get(args, "trainable");
    if (!name && !trainable)
        return add_layer(model, layer, NULL, true, err);
    if (name && !json_is_string(name))
        return qs_fail(err, QS_E_ARG, "%s: name must be text", type);
    if (trainable && !json_is_boolean(trainable))
        return qs_fail(err, QS_E_ARG, "%s: trainable must be true or false", type);
    json_t *bare = bare_layer(layer, type);
    if (!bare)
        return qs_fail_memory(err, 64, "a layer");
    const qs_status status =
        add_layer(model, bare, json_string_value(name), !json_is_false(trainable), err);
    json_decref(bare);
    return status;
}

static qs_status read_shape(const json_t *input, size_t shape[QS_MAX_RANK], int *rank,
                            qs_error *err)
{
    const size_t n = json_is_array(input) ? json_array_size(input) : 1;
    for (size_t i = 0; i < n && i < QS_MAX_RANK; i++) {
        const json_t *axis = json_is_array(input) ? json_array_get(input, i) : input;
        if (!json_is_integer(axis) || json_integer_value(axis) < 1)
            return qs_fail(err, QS_E_ARG,
                           "the model must begin with the shape of a sample: - input: [784]");
        shape[i] = (size_t)json_integer_value(axis);
    }
    *rank = n > QS_MAX_RANK ? QS_MAX_RANK : (int)n;
    return QS_OK;
}

/* input: [784], or {shape: [784], name: …} */
static qs_status read_input(const json_t *item, qs_model **out, qs_error *err)
{
    static const char *const keys[] = {"shape", "name", NULL};
    const json_t *input = json_object_get(item, "input"), *name = NULL;
    if (json_is_object(input)) {
        QS_TRY(qs_recipe_keys(input, keys, err));
        name = json_object_get(input, "name");
        input = json_object_get(input, "shape");
    }
    if (name && (!json_is_string(name) || strlen(json_string_value(name)) >= QS_NAME))
        return qs_fail(err, QS_E_ARG, "input: name must be text of less than %d bytes",
                       (int)QS_NAME);
    size_t shape[QS_MAX_RANK] = {0};
    int rank = 0;
    QS_TRY(read_shape(input, shape, &rank, err));
    QS_TRY(qs_model_create(shape, rank, out, err));
    if (name)
        snprintf((*out)->input_name, QS_NAME, "%s", json_string_value(name));
    return QS_OK;
}

static qs_status read_layers(const json_t *recipe, qs_model *model, qs_error *err)
{
    const json_t *list = json_object_get(recipe, "model");
    for (size_t i = 1; i < json_array_size(list); i++) {
        const qs_status status = qs_recipe_layer(model, json_array_get(list, i), err);
        if (status != QS_OK)
            return qs_recipe_at(qs_json_line(recipe, "model", (int)i), status, err);
    }
    if (!model->layers)
        return qs_fail(err, QS_E_ARG, "the model has no layers after its input");
    return QS_OK;
}

static qs_status read_tree(const json_t *recipe, qs_model **out, qs_error *err)
{
    static const char *const sections[] = {"model", "data", "train", NULL};
    if (!json_is_object(recipe))
        return qs_fail(err, QS_E_FORMAT, "a recipe is a mapping with model, data and train");
    QS_TRY(qs_recipe_keys(recipe, sections, err));
    const json_t *list = json_object_get(recipe, "model");
    if (!json_is_array(list) || !json_array_size(list))
        return qs_fail(err, QS_E_ARG,
                       "needs model: a list of layers that begins with - input: [784]");

    qs_model *model = NULL;
    qs_status status = qs_recipe_at(qs_json_line(recipe, "model", 0),
                                    read_input(json_array_get(list, 0), &model, err), err);
    if (status == QS_OK && model)
        status = read_layers(recipe, model, err);
    if (status == QS_OK)
        status = qs_recipe_settings(model, recipe, err);
    if (status != QS_OK) {
        qs_model_close(model);
        return status;
    }
    *out = model;
    return QS_OK;
}

static qs_status read(const unsigned char *bytes, size_t n, qs_model **out, qs_error *err)
{
    json_t *recipe;
    QS_TRY(qs_yaml_parse((const char *)bytes, n, &recipe, err));
    const qs_status status = read_tree(recipe, out, err);
    json_decref(recipe);
    return status;
}

static qs_status write(const qs_model *model, unsigned char **bytes, size_t *n, qs_error *err)
{
    char *text = qs_recipe_text(model);
    if (!text)
        return qs_fail_memory(err, 4096, "a recipe");
    *bytes = (unsigned char *)text;
    *n = strlen(text);
    return QS_OK;
}

qs_status qs_model_parse(const char *recipe, size_t bytes, qs_model **out, qs_error *err)
{
    const size_t refusals = qs_alloc_refusals();
    qs_model *model = NULL;
    qs_status status = read((const unsigned char *)recipe, bytes, &model, err);
    status = qs_memory_verdict(refusals, status, "the model", err);
    if (status != QS_OK || !model) {
        qs_model_close(model);
        return status;
    }
    model->format = "recipe";
    *out = model;
    return QS_OK;
}

static qs_status add_text(qs_model *model, const char *layer, const char *options, qs_error *err)
{
    qs_json_setup();
    json_t *args = NULL;
    if (options && *options)
        QS_TRY(qs_context(err, qs_yaml_parse(options, strlen(options), &args, err), "%s", layer));
    json_t *item = json_pack("{s:o}", layer, args ? args : json_null());
    if (!item)
        return qs_fail(err, QS_E_ARG, "the name of a layer must be UTF-8");
    const qs_status status = qs_recipe_layer(model, item, err);
    json_decref(item);
    return status;
}

qs_status qs_model_add(qs_model *model, const char *layer, const char *options, qs_error *err)
{
    const size_t refusals = qs_alloc_refusals();
    const qs_status status = add_text(model, layer, options, err);
    return status == QS_OK ? status : qs_memory_verdict(refusals, status, "a layer", err);
}

const qs_file_format qs_file_format_recipe = {
    .name = "recipe",
    .ending = ".yaml",
    .also = ".yml",
    .help = "a recipe: layers, data and training in YAML",
    .architecture = true,
    .read = read,
    .write = write,
};
