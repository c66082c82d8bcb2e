/* SPDX-License-Identifier: MIT */
/* recipe_settings.c - the sections `data` and `train` of a recipe, to and from settings. */
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "format/recipe.h"
#include "nn/loss.h"
#include "nn/metric.h"
#include "nn/optim.h"
#include "nn/schedule.h"
#include "quickstep/status.h"

/* Gives the value as command-line text, qs_malloc'ed. */
typedef qs_status (*reader)(qs_arena *arena, const json_t *json, char **out, qs_error *err);
/* Gives the text as the value of a recipe; NULL when memory runs out. */
typedef json_t *(*writer)(qs_arena *arena, const char *text);

static qs_status own(char *text, char **out, qs_error *err)
{
    *out = text;
    return text ? QS_OK : qs_fail_memory(err, 64, "a setting");
}

static qs_status read_spec(qs_arena *arena, const qs_registry *in, const json_t *json, char **out,
                           qs_error *err)
{
    const qs_spec *spec;
    QS_TRY(qs_spec_read(arena, in, json, &spec, err));
    /* a word stays as it is: it names a metric in the history */
    return own(json_is_string(json) ? qs_strdup(json_string_value(json)) : qs_spec_text(spec), out,
               err);
}

static qs_status read_loss(qs_arena *arena, const json_t *json, char **out, qs_error *err)
{
    return read_spec(arena, &qs_loss_registry, json, out, err);
}

static qs_status read_optimizer(qs_arena *arena, const json_t *json, char **out, qs_error *err)
{
    return read_spec(arena, &qs_optim_registry, json, out, err);
}

static qs_status read_number(qs_arena *arena, const json_t *json, char **out, qs_error *err)
{
    (void)arena;
    char text[QS_NUMBER_TEXT];
    if (!json_is_number(json))
        return qs_fail(err, QS_E_ARG, "must be a number");
    return own(qs_strdup(qs_number_text(json_number_value(json), text)), out, err);
}

static qs_status read_rate(qs_arena *arena, const json_t *json, char **out, qs_error *err)
{
    if (json_is_number(json))
        return read_number(arena, json, out, err);
    return read_spec(arena, &qs_schedule_registry, json, out, err);
}

static qs_status read_count(qs_arena *arena, const json_t *json, char **out, qs_error *err)
{
    (void)arena;
    if (!json_is_integer(json) || json_integer_value(json) < 0)
        return qs_fail(err, QS_E_ARG, "must be a whole number");
    return own(qs_format("%lld", (long long)json_integer_value(json)), out, err);
}

static qs_status read_bool(qs_arena *arena, const json_t *json, char **out, qs_error *err)
{
    (void)arena;
    if (!json_is_boolean(json))
        return qs_fail(err, QS_E_ARG, "must be true or false");
    return own(qs_strdup(json_is_true(json) ? "true" : "false"), out, err);
}

static qs_status read_text(qs_arena *arena, const json_t *json, char **out, qs_error *err)
{
    (void)arena;
    if (!json_is_string(json))
        return qs_fail(err, QS_E_ARG, "must be text");
    return own(qs_strdup(json_string_value(json)), out, err);
}

/* text + mark + word, where `text` may be NULL; takes both. */
static char *append(char *text, char *word)
{
    char *longer = word ? qs_format("%s%s%s", text ? text : "", text ? "," : "", word) : NULL;
    qs_free(text);
    qs_free(word);
    return longer;
}

/* One metric or a list of them. */
static qs_status read_metrics(qs_arena *arena, const json_t *json, char **out, qs_error *err)
{
    if (!json_is_array(json))
        return read_spec(arena, &qs_metric_registry, json, out, err);
    char *text = NULL;
    for (size_t i = 0; i < json_array_size(json); i++) {
        char *word;
        const qs_status status =
            read_spec(arena, &qs_metric_registry, json_array_get(json, i), &word, err);
        if (status != QS_OK) {
            qs_free(text);
            return status;
        }
        text = append(text, word);
        if (!text)
            return qs_fail_memory(err, 64, "a setting");
    }
    return own(text ? text : qs_strdup(""), out, err);
}

/* 0=1.0,1=2.5 of {0: 1.0, 1: 2.5} */
static qs_status read_class_weight(qs_arena *arena, const json_t *json, char **out, qs_error *err)
{
    if (json_is_string(json))
        return read_text(arena, json, out, err);
    if (!json_is_object(json))
        return qs_fail(err, QS_E_ARG, "must be a mapping of classes to weights");
    char *text = NULL;
    const char *key;
    json_t *value;
    json_object_foreach ((json_t *)json, key, value) {
        int64_t class;
        char number[QS_NUMBER_TEXT];
        if (*key == QS_HIDDEN)
            continue;
        if (!qs_integer_parse(key, strlen(key), &class) || class < 0 || !json_is_number(value)) {
            qs_free(text);
            return qs_fail(err, QS_E_ARG, "'%.40s' must be a class and its weight a number", key);
        }
        text =
            append(text, qs_format("%s=%s", key, qs_number_text(json_number_value(value), number)));
        if (!text)
            return qs_fail_memory(err, 64, "a setting");
    }
    return own(text ? text : qs_strdup(""), out, err);
}

static char *scalar_text(const json_t *json)
{
    char text[QS_NUMBER_TEXT];
    if (json_is_number(json))
        return qs_strdup(qs_number_text(json_number_value(json), text));
    if (json_is_boolean(json))
        return qs_strdup(json_is_true(json) ? "true" : "false");
    return qs_strdup(json_string_value(json));
}

/* Keras' arguments of a callback as "MONITOR:key=value,…". */
static qs_status read_callback(const json_t *json, const char *const *keys, char **out,
                               qs_error *err)
{
    const char *monitor = json_string_value(json_object_get(json, "monitor")), *key;
    json_t *value;
    QS_TRY(qs_recipe_keys(json, keys, err));
    char *text = NULL;
    json_object_foreach ((json_t *)json, key, value) {
        if (*key == QS_HIDDEN || !strcmp(key, "monitor"))
            continue;
        char *word = scalar_text(value);
        char *pair =
            word ? qs_format("%s=%s", strcmp(key, "restore_best_weights") ? key : "restore_best",
                             word)
                 : NULL;
        qs_free(word);
        text = append(text, pair);
        if (!text)
            return qs_fail(err, QS_E_ARG, "'%.40s' must be a number, a word, true or false", key);
    }
    char *whole =
        qs_format("%s%s%s", monitor ? monitor : "val_loss", text ? ":" : "", text ? text : "");
    qs_free(text);
    return own(whole, out, err);
}

static qs_status read_early(qs_arena *arena, const json_t *json, char **out, qs_error *err)
{
    static const char *const keys[] = {
        "monitor",
        "patience",
        "min_delta",
        "mode",
        "baseline",
        "restore_best",
        "restore_best_weights",
        "start_from_epoch",
        NULL,
    };
    return json_is_object(json) ? read_callback(json, keys, out, err)
                                : read_text(arena, json, out, err);
}

static qs_status read_plateau(qs_arena *arena, const json_t *json, char **out, qs_error *err)
{
    static const char *const keys[] = {
        "monitor", "factor", "patience", "mode", "min_delta", "cooldown", "min_lr", NULL,
    };
    return json_is_object(json) ? read_callback(json, keys, out, err)
                                : read_text(arena, json, out, err);
}

static json_t *write_text(qs_arena *arena, const char *text)
{
    (void)arena;
    return json_string(text);
}

static json_t *write_number(qs_arena *arena, const char *text)
{
    double x;
    int64_t whole;
    if (qs_integer_parse(text, strlen(text), &whole))
        return json_integer(whole);
    return qs_number_parse(text, strlen(text), &x) ? json_real(x) : write_text(arena, text);
}

static json_t *write_bool(qs_arena *arena, const char *text)
{
    (void)arena;
    return json_boolean(!strcmp(text, "true"));
}

static json_t *write_spec(qs_arena *arena, const qs_registry *in, const char *text)
{
    const qs_spec *spec;
    return qs_spec_parse(arena, in, text, &spec, NULL) == QS_OK ? qs_spec_recipe(spec)
                                                                : json_string(text);
}

static json_t *write_loss(qs_arena *arena, const char *text)
{
    return write_spec(arena, &qs_loss_registry, text);
}

static json_t *write_optimizer(qs_arena *arena, const char *text)
{
    return write_spec(arena, &qs_optim_registry, text);
}

static json_t *write_rate(qs_arena *arena, const char *text)
{
    double x;
    if (qs_number_parse(text, strlen(text), &x))
        return json_real(x);
    return write_spec(arena, &qs_schedule_registry, text);
}

static json_t *write_metrics(qs_arena *arena, const char *text)
{
    json_t *list = json_array();
    const char *part;
    size_t n;
    while (list && qs_spec_next(&text, &part, &n)) {
        char *word = qs_strndup(part, n);
        json_t *metric = word ? write_spec(arena, &qs_metric_registry, word) : NULL;
        qs_free(word);
        if (json_array_append_new(list, metric)) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static const struct {
    const char *section, *key, *setting;
    reader read;
    writer write;
} settings[] = {
    {"data", "train", "data.train", read_text, write_text},
    {"data", "valid", "data.valid", read_text, write_text},
    {"data", "test", "data.test", read_text, write_text},
    {"data", "scale", "data.scale", read_text, write_text},
    {"data", "validation_split", "data.validation_split", read_number, write_number},
    {"data", "shuffle", "data.shuffle", read_bool, write_bool},
    {"train", "loss", "loss", read_loss, write_loss},
    {"train", "optimizer", "optimizer", read_optimizer, write_optimizer},
    {"train", "learning_rate", "learning_rate", read_rate, write_rate},
    {"train", "batch_size", "batch_size", read_count, write_number},
    {"train", "epochs", "epochs", read_count, write_number},
    {"train", "metrics", "metrics", read_metrics, write_metrics},
    {"train", "weighted_metrics", "weighted_metrics", read_metrics, write_metrics},
    {"train", "seed", "seed", read_count, write_number},
    {"train", "early_stopping", "early_stopping", read_early, write_text},
    {"train", "reduce_lr", "reduce_lr", read_plateau, write_text},
    {"train", "class_weight", "class_weight", read_class_weight, write_text},
    {"train", "precision", "precision", read_text, write_text},
};

enum { SETTINGS = sizeof settings / sizeof *settings };

/* "line 7: " in the middle of a text; NULL: none. */
static char *find_line(char *text, size_t *n)
{
    char *at = strstr(text, "line ");
    const size_t digits = at ? strspn(at + 5, "0123456789") : 0;
    if (!digits || strncmp(at + 5 + digits, ": ", 2) != 0)
        return NULL;
    *n = 5 + digits + 2;
    return at;
}

qs_status qs_recipe_at(int line, qs_status status, qs_error *err)
{
    size_t n;
    if (status == QS_OK || !err)
        return status;
    char *at = find_line(err->text, &n);
    if (!at)
        return line ? qs_context(err, status, "line %d", line) : status;
    char words[sizeof err->text]; /* what an inner call knows better comes first */
    memcpy(words, at, n);
    memmove(err->text + n, err->text, (size_t)(at - err->text));
    memcpy(err->text, words, n);
    return status;
}

qs_status qs_recipe_keys(const json_t *object, const char *const *keys, qs_error *err)
{
    const char *key;
    json_t *value;
    json_object_foreach ((json_t *)object, key, value) {
        int i = 0;
        while (keys[i] && strcmp(keys[i], key))
            i++;
        char near[256];
        if (!keys[i] && *key != QS_HIDDEN)
            return qs_recipe_at(qs_json_line(object, key, -1),
                                qs_fail(err, QS_E_ARG, "unknown key '%.60s'%s", key,
                                        qs_nearest(key, keys, near, sizeof near)),
                                err);
    }
    return QS_OK;
}

static qs_status check_section(const json_t *section, const char *name, qs_error *err)
{
    const char *keys[SETTINGS + 1] = {0};
    int n = 0;
    for (int i = 0; i < SETTINGS; i++)
        if (!strcmp(settings[i].section, name))
            keys[n++] = settings[i].key;
    if (section && !json_is_object(section))
        return qs_fail(err, QS_E_ARG, "must be a mapping of keys to values");
    return qs_recipe_keys(section, keys, err);
}

static qs_status read_setting(qs_model *model, qs_arena *arena, int i, const json_t *section,
                              qs_error *err)
{
    const json_t *value = json_object_get(section, settings[i].key);
    char *text = NULL;
    if (!value || json_is_null(value))
        return QS_OK;
    qs_status status = settings[i].read(arena, value, &text, err);
    if (status == QS_OK)
        status = qs_model_set(model, settings[i].setting, text, err);
    else
        status = qs_recipe_at(qs_json_line(section, settings[i].key, -1),
                              qs_context(err, status, "%s", settings[i].key), err);
    qs_free(text);
    return status;
}

qs_status qs_recipe_settings(qs_model *model, const json_t *recipe, qs_error *err)
{
    static const char *const sections[] = {"data", "train"};
    for (int i = 0; i < 2; i++) {
        const json_t *section = json_object_get(recipe, sections[i]);
        if (section && !json_is_null(section))
            QS_TRY(qs_recipe_at(
                qs_json_line(recipe, sections[i], -1),
                qs_context(err, check_section(section, sections[i], err), "%s", sections[i]), err));
    }
    qs_arena arena = {.block_bytes = 4096};
    qs_status status = QS_OK;
    for (int i = 0; i < SETTINGS && status == QS_OK; i++)
        status = read_setting(model, &arena, i, json_object_get(recipe, settings[i].section), err);
    qs_arena_free(&arena);
    return status;
}

json_t *qs_recipe_section(const qs_model *model, const char *section)
{
    qs_arena arena = {.block_bytes = 4096};
    json_t *json = json_object();
    for (int i = 0; i < SETTINGS && json; i++) {
        const char *text = qs_model_setting(model, settings[i].setting);
        if (!text || strcmp(settings[i].section, section))
            continue;
        if (json_object_set_new(json, settings[i].key, settings[i].write(&arena, text))) {
            json_decref(json);
            json = NULL;
        }
    }
    qs_arena_free(&arena);
    return json;
}
