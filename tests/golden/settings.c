/* SPDX-License-Identifier: MIT */
/* settings.c - Keras' objects in JSON → the text that the command line takes. */
#include "settings.h"

#include <stdio.h>
#include <string.h>

typedef struct text {
    char *at;
    size_t room;
} text;

static void put(text *t, const char *s)
{
    const int n = snprintf(t->at, t->room, "%s", s);
    const size_t used = n > 0 && (size_t)n < t->room ? (size_t)n : 0;
    t->at += used;
    t->room -= used;
}

static void put_value(text *t, const json_t *value)
{
    char number[40];
    if (json_is_string(value))
        put(t, json_string_value(value));
    else if (json_is_boolean(value))
        put(t, json_is_true(value) ? "true" : "false");
    else if (json_is_number(value)) {
        snprintf(number, sizeof number, "%.17g", json_number_value(value));
        put(t, number);
    }
}

static void put_list(text *t, json_t *list)
{
    size_t i;
    json_t *value;
    put(t, "[");
    json_array_foreach (list, i, value) {
        put(t, i ? "," : "");
        put_value(t, value);
    }
    put(t, "]");
}

/* What Keras writes but nobody sets by hand. */
static int is_noise(const char *key)
{
    static const char *const noise[] = {"name", "reduction", "axis", "dtype"};
    for (size_t i = 0; i < sizeof noise / sizeof *noise; i++)
        if (strcmp(key, noise[i]) == 0)
            return 1;
    return 0;
}

/* "name" or {"class_name", "config"} → "name:key=value,…"; nulls and nested objects are left out.
 */
static void put_object(text *t, const json_t *object)
{
    if (json_is_string(object)) {
        put(t, json_string_value(object));
        return;
    }
    const char *key, *separator = ":";
    json_t *value;
    put(t, json_string_value(json_object_get(object, "class_name")));
    json_object_foreach (json_object_get(object, "config"), key, value) {
        if (is_noise(key) || json_is_null(value) || json_is_object(value))
            continue;
        put(t, separator);
        put(t, strcmp(key, "lr") == 0 ? "learning_rate" : key);
        put(t, "=");
        if (json_is_array(value))
            put_list(t, value);
        else
            put_value(t, value);
        separator = ",";
    }
}

static void object_text(char *out, size_t room, const json_t *object)
{
    text t = {out, room};
    out[0] = '\0';
    if (object && !json_is_null(object))
        put_object(&t, object);
}

static void metrics_text(char *out, size_t room, const json_t *list)
{
    text t = {out, room};
    out[0] = '\0';
    for (size_t i = 0; i < json_array_size(list); i++) {
        put(&t, i ? "," : "");
        put_object(&t, json_array_get(list, i));
    }
}

/* {"0": 0.5, "2": 3.0} → "0=0.5,2=3" */
static void class_weight_text(char *out, size_t room, json_t *weights)
{
    text t = {out, room};
    const char *key, *separator = "";
    json_t *value;
    out[0] = '\0';
    json_object_foreach (weights, key, value) {
        put(&t, separator);
        put(&t, key);
        put(&t, "=");
        put_value(&t, value);
        separator = ",";
    }
}

/* Keras' call-back → "val_loss:patience=4,…" */
static void callback_text(char *out, size_t room, const json_t *callbacks, const char *class_name)
{
    out[0] = '\0';
    for (size_t i = 0; i < json_array_size(callbacks); i++) {
        const json_t *callback = json_array_get(callbacks, i);
        if (strcmp(json_string_value(json_object_get(callback, "class_name")), class_name) != 0)
            continue;
        text t = {out, room};
        const char *key, *separator = ":";
        json_t *value, *config = json_object_get(callback, "config");
        put_value(&t, json_object_get(config, "monitor"));
        json_object_foreach (config, key, value) {
            if (strcmp(key, "monitor") == 0 || strcmp(key, "mode") == 0 || json_is_null(value))
                continue;
            put(&t, separator);
            put(&t, strcmp(key, "restore_best_weights") == 0 ? "restore_best" : key);
            put(&t, "=");
            put_value(&t, value);
            separator = ",";
        }
    }
}

void settings_read(const json_t *compile, const json_t *run, settings *out)
{
    const json_t *optimizer = json_object_get(compile, "optimizer");
    const json_t *rate = json_object_get(json_object_get(optimizer, "config"), "learning_rate");
    const json_t *callbacks = json_object_get(run, "callbacks");
    object_text(out->loss, sizeof out->loss, json_object_get(compile, "loss"));
    object_text(out->optimizer, sizeof out->optimizer, optimizer);
    object_text(out->learning_rate, sizeof out->learning_rate, json_is_object(rate) ? rate : NULL);
    metrics_text(out->metrics, sizeof out->metrics, json_object_get(compile, "metrics"));
    metrics_text(out->weighted_metrics, sizeof out->weighted_metrics,
                 json_object_get(compile, "weighted_metrics"));
    class_weight_text(out->class_weight, sizeof out->class_weight,
                      json_object_get(run, "class_weight"));
    callback_text(out->early_stop, sizeof out->early_stop, callbacks, "EarlyStopping");
    callback_text(out->reduce_lr, sizeof out->reduce_lr, callbacks, "ReduceLROnPlateau");
}

const char *settings_metric_name(const json_t *compile, size_t i)
{
    const json_t *plain = json_object_get(compile, "metrics");
    const json_t *weighted = json_object_get(compile, "weighted_metrics");
    const size_t n = json_array_size(plain);
    const json_t *metric = i < n ? json_array_get(plain, i) : json_array_get(weighted, i - n);
    if (json_is_object(metric))
        metric = json_object_get(json_object_get(metric, "config"), "name");
    return json_string_value(metric);
}
