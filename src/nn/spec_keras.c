/* SPDX-License-Identifier: MIT */
/* spec_keras.c - what is particular to Keras' way of writing an object down. */
#include <string.h>

#include "nn/spec_form.h"

static bool starts(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* "keras.layers", "keras.src.…", "tf_keras.…", "tensorflow.keras.…", or none, as Keras 2 wrote. */
static bool own_module(const char *module)
{
    return !module || starts(module, "keras") || starts(module, "tf_keras") ||
           starts(module, "tensorflow.") || starts(module, "builtins");
}

qs_status qs_keras_class(const json_t *json, const char **name, qs_error *err)
{
    const char *class_name = json_string_value(json_object_get(json, "class_name"));
    const char *module = json_string_value(json_object_get(json, "module"));
    const char *registered = json_string_value(json_object_get(json, "registered_name"));
    if (!class_name)
        return qs_fail(err, QS_E_FORMAT, "class_name must be text");
    if (!own_module(module))
        return qs_fail(err, QS_E_UNSUPPORTED, "no support for '%.60s' of the module '%.60s'",
                       class_name, module);
    if (registered && strchr(registered, '>'))
        return qs_fail(err, QS_E_UNSUPPORTED, "no support for the registered class '%.60s'",
                       registered);
    const char *function = json_string_value(json_object_get(json, "config"));
    *name = function && !strcmp(class_name, "function") ? function : class_name;
    return QS_OK;
}

/* "float32", {"class_name": "DTypePolicy", "config": {"name": "float32"}} or null. */
static const char *dtype_name(const json_t *value)
{
    if (!value || json_is_null(value))
        return "float32";
    if (json_is_object(value))
        value = json_object_get(json_object_get(value, "config"), "name");
    return json_is_string(value) ? json_string_value(value) : "of unknown form";
}

qs_status qs_keras_common(const char *name, const json_t *value, bool *fine, qs_error *err)
{
    static const char *const names[] = {
        "name",        "trainable", "batch_shape", "batch_input_shape", "is_legacy_optimizer",
        "jit_compile",
    };
    *fine = json_is_null(value); /* not given: nothing that could be skipped */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        *fine |= !strcmp(name, names[i]);
    if (!strcmp(name, "dtype")) {
        const char *dtype = dtype_name(value);
        if (strcmp(dtype, "float32"))
            return qs_fail(err, QS_E_UNSUPPORTED,
                           "no support for dtype %.60s, only float32 (for faster arithmetic give "
                           "--precision)",
                           dtype);
        *fine = true;
    }
    if (!strcmp(name, "reduction")) {
        const char *text = json_string_value(value);
        *fine |= text && (!strcmp(text, "sum_over_batch_size") || !strcmp(text, "auto"));
    }
    return QS_OK;
}
