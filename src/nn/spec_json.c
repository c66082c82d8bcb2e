/* SPDX-License-Identifier: MIT */
/* spec_json.c - writes named things with arguments in the recipe's and Keras' forms. */
#include <string.h>

#include "base/alloc.h"
#include "nn/attr.h"
#include "nn/spec_form.h"

static json_t *integer(double x)
{
    return json_integer((json_int_t)x);
}

static json_t *list_json(const qs_attr *attr, const qs_value *value)
{
    const bool whole = qs_attr_says(attr, "integer");
    if (value->bare)
        return whole ? integer(value->list[0]) : json_real(value->list[0]);
    json_t *list = json_array();
    for (size_t i = 0; list && i < value->count; i++) {
        const double x = value->list[i];
        if (json_array_append_new(list, whole ? integer(x) : json_real(x))) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *value_json(const qs_attr *attr, const qs_value *value)
{
    if (value->null)
        return json_null();
    switch (attr->type) {
    case QS_ATTR_NUMBER:
        return json_real(value->number);
    case QS_ATTR_INTEGER:
        return integer(value->number);
    case QS_ATTR_BOOL:
        return json_boolean(value->number != 0);
    case QS_ATTR_NUMBERS:
        return list_json(attr, value);
    case QS_ATTR_TEXT:
        return json_string(value->text);
    case QS_ATTR_SPEC:
    case QS_ATTR_FIXED:
        break;
    }
    return qs_value_of_text(attr->preset, strlen(attr->preset));
}

bool qs_value_is_preset(const qs_attr *attr, const qs_value *value)
{
    if (!attr->preset)
        return false;
    if (attr->type == QS_ATTR_FIXED)
        return true;
    if (value->null || qs_holds_spec(attr, value)) {
        char *text = qs_spec_text(value->null ? NULL : value->spec);
        const bool same = text && !strcmp(text, attr->preset);
        qs_free(text);
        return same;
    }
    json_t *now = value_json(attr, value);
    json_t *preset = qs_value_of_text(attr->preset, strlen(attr->preset));
    const json_t *one = json_array_size(now) == 1 ? json_array_get(now, 0) : now;
    const bool numbers = json_is_number(one) && json_is_number(preset);
    const bool same =
        numbers ? json_number_value(one) == json_number_value(preset) : json_equal(now, preset);
    json_decref(now);
    json_decref(preset);
    return same;
}

static bool is_own(const qs_attr *attr)
{
    return attr->words && !strcmp(attr->words, QS_ATTR_OWN);
}

/* Keras does not know these, or itself leaves them out where they are None. */
static bool left_out(const qs_attr *attr, const qs_value *value)
{
    return is_own(attr) || (value->null && !strcmp(attr->name, "activity_regularizer"));
}

bool qs_spec_beyond_keras(const qs_spec *spec)
{
    const qs_attr *attr = spec->kind->attrs;
    for (size_t i = 0; attr && attr[i].name; i++)
        if (is_own(&attr[i]) && !spec->value[i].null)
            return true;
    return false;
}

json_t *qs_spec_config(const qs_spec *spec)
{
    qs_json_setup();
    json_t *config = json_object();
    const qs_attr *attr = spec->kind->attrs;
    for (size_t i = 0; config && attr && attr[i].name; i++) {
        const qs_value *value = &spec->value[i];
        if (left_out(&attr[i], value))
            continue;
        json_t *json = qs_holds_spec(&attr[i], value)
                           ? qs_spec_keras(qs_registry_find(attr[i].words), value->spec)
                           : value_json(&attr[i], value);
        if (json_object_set_new(config, attr[i].name, json)) {
            json_decref(config);
            return NULL;
        }
    }
    return config;
}

/* A registered function that Keras does not have itself. */
static json_t *function_json(const qs_kind *kind)
{
    const char *name = kind->also && strchr(kind->also, '>') ? kind->also : kind->name;
    return json_pack("{s:s, s:s, s:s, s:s}", "module", "builtins", "class_name", "function",
                     "config", name, "registered_name", "function");
}

static bool all_presets(const qs_spec *spec)
{
    const qs_attr *attr = spec->kind->attrs;
    for (size_t i = 0; attr && attr[i].name; i++)
        if (!qs_value_is_preset(&attr[i], &spec->value[i]))
            return false;
    return true;
}

/* A name; with arguments Keras takes the layer of the same effect, and of gelu only a function. */
static json_t *activation_json(const qs_registry *in, const qs_spec *spec)
{
    if (all_presets(spec))
        return json_string(spec->kind->keras);
    if (!spec->kind->also)
        return function_json(qs_kind_find(in, "gelu_approximate"));
    json_t *config = qs_spec_config(spec);
    return config ? json_pack("{s:s, s:s, s:o, s:n}", "module", "keras.layers", "class_name",
                              spec->kind->also, "config", config, "registered_name")
                  : NULL;
}

json_t *qs_spec_keras(const qs_registry *in, const qs_spec *spec)
{
    qs_json_setup();
    if (!spec)
        return json_null();
    if (!spec->kind->keras)
        return function_json(spec->kind);
    if (!strcmp(in->name, "activations"))
        return activation_json(in, spec);
    json_t *config = qs_spec_config(spec);
    return config ? json_pack("{s:s, s:s, s:o, s:n}", "module", in->module, "class_name",
                              spec->kind->keras, "config", config, "registered_name")
                  : NULL;
}

/* The arguments that are not presets; *only: the one there is, where there is just one. */
static json_t *recipe_args(const qs_spec *spec, const qs_attr **only)
{
    json_t *args = json_object();
    const qs_attr *attr = spec->kind->attrs;
    for (size_t i = 0; args && attr && attr[i].name; i++) {
        const qs_value *value = &spec->value[i];
        if (qs_value_is_preset(&attr[i], value))
            continue;
        json_t *json = qs_holds_spec(&attr[i], value)
                           ? qs_spec_recipe(value->null ? NULL : value->spec)
                           : value_json(&attr[i], value);
        if (json_object_set_new(args, attr[i].name, json)) {
            json_decref(args);
            return NULL;
        }
        *only = &attr[i];
    }
    return args;
}

static bool is_positional(const qs_kind *kind, const json_t *args, const qs_attr *only)
{
    return only && json_object_size(args) == 1 && kind->positional &&
           !strcmp(kind->positional, only->name) &&
           !json_is_object(json_object_get(args, only->name));
}

json_t *qs_spec_recipe(const qs_spec *spec)
{
    qs_json_setup();
    if (!spec)
        return json_null();
    const qs_attr *only = NULL;
    json_t *args = recipe_args(spec, &only);
    if (!args)
        return NULL;
    json_t *recipe;
    if (!json_object_size(args))
        recipe = json_string(spec->kind->name);
    else if (is_positional(spec->kind, args, only))
        recipe = json_pack("{s:O}", spec->kind->name, json_object_get(args, only->name));
    else
        recipe = json_pack("{s:O}", spec->kind->name, args);
    json_decref(args);
    return recipe;
}
