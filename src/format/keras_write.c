/* SPDX-License-Identifier: MIT */
/* keras_write.c - a model as the JSON that Keras 3 reads. */
#include <string.h>

#include "format/keras_config.h"
#include "format/recipe.h"
#include "nn/optim.h"

/* [null, 28, 28] */
static json_t *batch_shape(const qs_shape *shape)
{
    json_t *list = json_array();
    json_array_append_new(list, json_null());
    for (int i = 0; i < shape->rank; i++)
        json_array_append_new(list, json_integer((json_int_t)shape->dim[i]));
    return list;
}

static json_t *policy(void)
{
    return json_pack("{s:s, s:s, s:{s:s}, s:n}", "module", "keras", "class_name", "DTypePolicy",
                     "config", "name", "float32", "registered_name");
}

static json_t *input_json(const qs_model *model)
{
    json_t *config = json_pack("{s:o, s:s, s:b, s:b, s:s, s:b}", "batch_shape",
                               batch_shape(&model->input), "dtype", "float32", "sparse", 0,
                               "ragged", 0, "name", model->input_name, "optional", 0);
    return json_pack("{s:s, s:s, s:o, s:n}", "module", "keras.layers", "class_name", "InputLayer",
                     "config", config, "registered_name");
}

static json_t *layer_json(const qs_layer *layer)
{
    json_t *config = json_pack("{s:s, s:b, s:o}", "name", layer->name, "trainable",
                               layer->trainable, "dtype", policy());
    json_t *arguments = qs_spec_config(layer->spec);
    const int failed = json_object_update(config, arguments);
    json_decref(arguments);
    if (failed) {
        json_decref(config);
        return NULL;
    }
    return json_pack("{s:s, s:s, s:o, s:n, s:{s:o}}", "module", "keras.layers", "class_name",
                     layer->kind->kind.keras, "config", config, "registered_name", "build_config",
                     "input_shape", batch_shape(&layer->in));
}

static json_t *layers_json(const qs_model *model)
{
    json_t *list = json_array();
    int failed = json_array_append_new(list, input_json(model));
    for (int i = 0; i < model->layers; i++)
        failed |= json_array_append_new(list, layer_json(&model->layer[i]));
    if (!failed)
        return list;
    json_decref(list);
    return NULL;
}

/* {"optimizer": …} where it has arguments that Keras has no place for, else {}. */
static json_t *train_json(const qs_model *model)
{
    qs_arena arena = {.block_bytes = 4096};
    const char *text = qs_model_setting(model, "optimizer");
    const qs_spec *spec = NULL;
    json_t *json = json_object();
    if (text && qs_spec_parse(&arena, &qs_optim_registry, text, &spec, NULL) == QS_OK && spec &&
        qs_spec_beyond_keras(spec))
        json_object_set_new(json, "optimizer", qs_spec_recipe(spec));
    qs_arena_free(&arena);
    return json;
}

/* Takes the model's JSON; NULL when memory runs out. */
static json_t *with_own(json_t *json, const qs_model *model)
{
    json_t *own = json_object(), *data = qs_recipe_section(model, "data");
    json_t *train = train_json(model);
    int failed = !json || !own || !data || !train;
    if (json_object_size(data))
        failed |= json_object_set(own, "data", data);
    if (json_object_size(train))
        failed |= json_object_set(own, "train", train);
    if (json_object_size(own))
        failed |= json_object_set(json, QS_KERAS_OWN, own);
    json_decref(own);
    json_decref(data);
    json_decref(train);
    if (!failed)
        return json;
    json_decref(json);
    return NULL;
}

json_t *qs_keras_model_json(const qs_model *model)
{
    qs_json_setup();
    json_t *layers = layers_json(model);
    json_t *config = layers ? json_pack("{s:s, s:b, s:o, s:o, s:o}", "name", model->name,
                                        "trainable", 1, "dtype", policy(), "layers", layers,
                                        "build_input_shape", batch_shape(&model->input))
                            : NULL;
    if (!config)
        return NULL;
    json_t *json = json_pack("{s:s, s:s, s:o, s:n, s:{s:o}}", "module", "keras", "class_name",
                             "Sequential", "config", config, "registered_name", "build_config",
                             "input_shape", batch_shape(&model->input));
    return with_own(json, model);
}

char *qs_keras_text(const qs_model *model)
{
    json_t *json = qs_keras_model_json(model);
    char *text = NULL;
    if (!json_object_set_new(json, "compile_config", qs_keras_compile_json(model, "optimizer")))
        text = qs_json_text(json);
    json_decref(json);
    return text;
}
