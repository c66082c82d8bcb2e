/* SPDX-License-Identifier: MIT */
/* keras_model.c - a model from Keras' JSON, of Keras 2 and 3. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "format/keras_config.h"
#include "format/recipe.h"
#include "nn/spec_form.h"

enum { MOST_LAYERS = 4096 };

static const char *class_of(const json_t *object)
{
    const char *name = json_string_value(json_object_get(object, "class_name"));
    return name ? name : "?";
}

/* [null, 28, 28] of a batch, without its first axis. */
static qs_status read_shape(const json_t *batch, qs_shape *out, qs_error *err)
{
    const size_t n = json_array_size(batch);
    if (n < 2 || n > QS_MAX_RANK)
        return qs_fail(err, QS_E_UNSUPPORTED, "an input of %zu axes with the batch's, not 2 to %d",
                       n, QS_MAX_RANK);
    *out = (qs_shape){.rank = (int)n - 1};
    for (size_t i = 1; i < n; i++) {
        const json_t *axis = json_array_get(batch, i);
        if (!json_is_integer(axis) || json_integer_value(axis) < 1)
            return qs_fail(err, QS_E_UNSUPPORTED,
                           "axis %zu of the input is open (None): samples must have a fixed shape",
                           i);
        out->dim[i - 1] = (size_t)json_integer_value(axis);
    }
    return QS_OK;
}

static const json_t *batch_shape(const json_t *config)
{
    const json_t *shape = json_object_get(config, "batch_shape");
    return shape ? shape : json_object_get(config, "batch_input_shape");
}

/* An InputLayer: float32, dense, and there. */
static qs_status check_input(const json_t *config, qs_error *err)
{
    static const char *const flags[] = {"sparse", "ragged", "optional"};
    bool fine;
    QS_TRY(qs_keras_common("dtype", json_object_get(config, "dtype"), &fine, err));
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (json_is_true(json_object_get(config, flags[i])))
            return qs_fail(err, QS_E_UNSUPPORTED, "no support for %s inputs", flags[i]);
    return QS_OK;
}

static qs_status create(const json_t *shape, const char *name, qs_model **out, qs_error *err)
{
    qs_shape input = {0};
    QS_TRY(read_shape(shape, &input, err));
    QS_TRY(qs_model_create(input.dim, input.rank, out, err));
    if (name)
        snprintf((*out)->input_name, QS_NAME, "%.64s", name);
    return QS_OK;
}

/* The model and how many of the first layers its input took. */
static qs_status read_input(const json_t *json, const json_t *const *layer, size_t *taken,
                            qs_model **out, qs_error *err)
{
    const json_t *config = json_object_get(layer[0], "config");
    const json_t *shape = batch_shape(config);
    *taken = !strcmp(class_of(layer[0]), "InputLayer");
    if (*taken)
        QS_TRY(qs_context(err, check_input(config, err), "InputLayer"));
    if (!shape)
        shape = json_object_get(json_object_get(json, "config"), "build_input_shape");
    if (!shape)
        shape = json_object_get(json_object_get(json, "build_config"), "input_shape");
    if (!shape)
        return qs_fail(err, QS_E_UNSUPPORTED,
                       "the model's input has no shape: begin it with keras.Input(shape)");
    return create(shape, *taken ? json_string_value(json_object_get(config, "name")) : NULL, out,
                  err);
}

/* Arguments whose name changed since Keras 2. */
static const struct {
    const char *class_name, *old, *now;
} renamed[] = {
    {"LeakyReLU", "alpha", "negative_slope"},
};

static void rename_arguments(json_t *layer)
{
    json_t *config = json_object_get(layer, "config");
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
        json_t *value = json_object_get(config, renamed[i].old);
        if (!value || strcmp(class_of(layer), renamed[i].class_name))
            continue;
        json_object_set(config, renamed[i].now, value);
        json_object_del(config, renamed[i].old);
    }
}

static qs_status add_layer(qs_model *model, const json_t *layer, bool trainable, qs_error *err)
{
    const json_t *config = json_object_get(layer, "config");
    const char *name = json_string_value(json_object_get(config, "name"));
    if (!json_is_object(config) || !name)
        return qs_fail(err, QS_E_FORMAT, "a layer (%.40s) has no config or no name",
                       class_of(layer));
    const qs_spec *spec = NULL;
    json_t *copy = json_deep_copy(layer);
    if (!copy)
        return qs_fail_memory(err, 1024, "a layer");
    rename_arguments(copy);
    qs_status status = qs_spec_read(&model->arena, &qs_layer_registry, copy, &spec, err);
    json_decref(copy);
    if (status != QS_OK)
        return qs_context(err, status, "layer '%.60s'", name);
    return qs_model_add_spec(
        model, spec, name, trainable && !json_is_false(json_object_get(config, "trainable")), err);
}

/* Classes first, so that what is refused is named by its class rather than by its input's type. */
static qs_status check_classes(const json_t *const *layer, size_t count, qs_error *err)
{
    for (size_t i = 0; i < count; i++) {
        const char *name = class_of(layer[i]);
        const char *own =
            json_string_value(json_object_get(json_object_get(layer[i], "config"), "name"));
        if (strcmp(name, "InputLayer") && !qs_kind_find(&qs_layer_registry, name))
            return qs_context(err, qs_kind_unknown(&qs_layer_registry, name, QS_E_UNSUPPORTED, err),
                              "layer '%.60s'", own ? own : "?");
    }
    return QS_OK;
}

qs_status qs_keras_own(qs_model *model, const json_t *json, qs_error *err)
{
    const json_t *own = json_object_get(json, QS_KERAS_OWN);
    return own ? qs_context(err, qs_recipe_settings(model, own, err), QS_KERAS_OWN) : QS_OK;
}

static qs_status build(const json_t *json, const json_t *const *layer, size_t count, qs_model **out,
                       qs_error *err)
{
    const json_t *config = json_object_get(json, "config");
    qs_model *model = NULL;
    size_t taken;
    QS_TRY(check_classes(layer, count, err));
    QS_TRY(read_input(json, layer, &taken, &model, err));
    qs_status status = QS_OK;
    const bool trainable = !json_is_false(json_object_get(config, "trainable"));
    for (size_t i = taken; i < count && status == QS_OK; i++)
        status = add_layer(model, layer[i], trainable, err);
    if (status == QS_OK && model && !model->layers)
        status = qs_fail(err, QS_E_UNSUPPORTED, "the model has no layers");
    const char *name = json_string_value(json_object_get(config, "name"));
    if (name)
        snprintf(model->name, QS_NAME, "%.90s", name);
    const json_t *compiled = json_object_get(json, "compile_config");
    if (status == QS_OK && json_object_size(compiled))
        status = qs_keras_compiled(model, compiled, err);
    if (status == QS_OK)
        status = qs_keras_own(model, json, err);
    if (status != QS_OK)
        qs_model_close(model);
    else
        *out = model;
    return status;
}

/* The layers of a Sequential: config.layers, or config itself in the oldest files. */
static qs_status list_layers(const json_t *config, const json_t **layer, size_t *count)
{
    const json_t *layers = json_is_array(config) ? config : json_object_get(config, "layers");
    for (size_t i = 0; i < json_array_size(layers); i++)
        layer[i] = json_array_get(layers, i);
    *count = json_array_size(layers);
    return QS_OK;
}

qs_status qs_keras_model(const json_t *json, qs_model **out, qs_error *err)
{
    const char *name = class_of(json);
    const json_t *config = json_object_get(json, "config");
    const json_t *layers = json_is_array(config) ? config : json_object_get(config, "layers");
    const size_t n = json_array_size(layers);
    const bool sequential = !strcmp(name, "Sequential");
    if (!config)
        return qs_fail(err, QS_E_FORMAT, "not a Keras model: it has no class_name and config");
    if (!sequential && strcmp(name, "Functional") && strcmp(name, "Model"))
        return qs_fail(err, QS_E_UNSUPPORTED,
                       "no support for models of the class '%.60s', only Sequential and Functional",
                       name);
    if (!n || n > MOST_LAYERS)
        return qs_fail(err, QS_E_FORMAT, "the model has %zu layers", n);

    bool fine;
    QS_TRY(qs_keras_common("dtype", json_object_get(config, "dtype"), &fine, err));
    const json_t **layer = qs_calloc(n, sizeof(void *));
    if (!layer)
        return qs_fail_memory(err, (double)n * sizeof(void *), "a list of layers");
    size_t count = 0;
    qs_status status = sequential ? list_layers(config, layer, &count)
                                  : qs_keras_chain(config, layer, &count, err);
    if (status == QS_OK)
        status = build(json, layer, count, out, err);
    qs_free(layer);
    return status;
}
