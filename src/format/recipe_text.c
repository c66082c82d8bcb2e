/* SPDX-License-Identifier: MIT */
/* recipe_text.c - writes a model as a recipe: one layer a line. */
#include <string.h>

#include "base/alloc.h"
#include "format/recipe.h"
#include "nn/spec_form.h"

/* Adds a line to the text; takes both. */
static char *add(char *text, char *line)
{
    char *longer = text && line ? qs_format("%s%s\n", text, line) : NULL;
    qs_free(text);
    qs_free(line);
    return longer;
}

static char *input_line(const qs_model *model)
{
    char shape[QS_SHAPE_TEXT];
    return qs_format("  - input: %s", qs_shape_text(&model->input, shape));
}

/* Names that Keras' counting gives again need not be written. */
static bool numbered(const qs_model *model, const qs_layer *layer)
{
    char base[QS_NAME];
    qs_keras_snake(layer->kind->kind.keras, base);
    int same = 0;
    for (const qs_layer *before = model->layer; before < layer; before++)
        same += before->kind == layer->kind;
    char *name = same ? qs_format("%s_%d", base, same) : qs_strdup(base);
    const bool equal = name && !strcmp(name, layer->name);
    qs_free(name);
    return equal;
}

static json_t *layer_json(const qs_model *model, const qs_layer *layer)
{
    json_t *json = qs_spec_recipe(layer->spec);
    const bool named = !numbered(model, layer);
    if (!json || (!named && layer->trainable))
        return json;
    const char *type = layer->kind->kind.name;
    json_t *value = json_object_get(json, type);
    json_t *args = json_is_object(value) ? json_incref(value) : json_object();
    if (value && !json_is_object(value))
        json_object_set(args, layer->kind->kind.positional, value);
    if (named)
        json_object_set_new(args, "name", json_string(layer->name));
    if (!layer->trainable)
        json_object_set_new(args, "trainable", json_false());
    json_decref(json);
    return json_pack("{s:o}", type, args);
}

/* "  - dense: {units: 3}" of {"dense": {"units": 3}} or "dense". */
static char *item_line(const char *indent, const char *name, const json_t *value)
{
    char *text = value ? qs_json_flow(value) : NULL;
    char *line = value ? (text ? qs_format("%s%s: %s", indent, name, text) : NULL)
                       : qs_format("%s%s", indent, name);
    qs_free(text);
    return line;
}

static char *layer_line(const qs_model *model, const qs_layer *layer)
{
    const char *type = layer->kind->kind.name;
    json_t *json = layer_json(model, layer);
    char *line = json ? item_line("  - ", type, json_object_get(json, type)) : NULL;
    json_decref(json);
    return line;
}

static char *add_section(const qs_model *model, const char *name, char *text)
{
    json_t *section = qs_recipe_section(model, name);
    if (!section || json_object_size(section))
        text = add(text, section ? item_line("", name, section) : NULL);
    json_decref(section);
    return text;
}

char *qs_recipe_text(const qs_model *model)
{
    qs_json_setup();
    char *text = add(qs_strdup("model:\n"), input_line(model));
    for (int i = 0; i < model->layers; i++)
        text = add(text, layer_line(model, &model->layer[i]));
    text = add_section(model, "data", text);
    return add_section(model, "train", text);
}
