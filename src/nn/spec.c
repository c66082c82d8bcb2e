/* SPDX-License-Identifier: MIT */
/* spec.c - reads named things with arguments from the recipe's and Keras' forms. */
#include "nn/spec.h"

#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "nn/spec_form.h"
#include "quickstep/status.h"

enum { NAMES = 256 };

/* jansson drops a letter where its buffer cannot grow, and may end the process over the rest. */
static void use_allocator(void)
{
    json_set_alloc_funcs(qs_malloc_reserved, qs_free);
}

void qs_json_setup(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, use_allocator);
}

int qs_json_line(const json_t *object, const char *key, int index)
{
    const json_t *line = json_object_get(json_object_get(object, QS_HIDDEN_LINES), key);
    return (int)json_integer_value(json_array_get(line, (size_t)index + 1));
}

/* Whether `name` is one of the words of `list`, which are separated by '|'. */
static bool listed(const char *list, const char *name)
{
    const size_t n = strlen(name);
    while (list && *list) {
        const size_t word = strcspn(list, "|");
        if (word == n && !memcmp(list, name, n))
            return true;
        list += word + (list[word] == '|');
    }
    return false;
}

bool qs_attr_says(const qs_attr *attr, const char *word)
{
    return listed(attr->words, word);
}

const qs_kind *qs_kind_find(const qs_registry *in, const char *name)
{
    for (const qs_kind *const *kind = in->kinds; *kind; kind++)
        if (!strcmp((*kind)->name, name) || ((*kind)->keras && !strcmp((*kind)->keras, name)) ||
            listed((*kind)->also, name))
            return *kind;
    return NULL;
}

qs_status qs_kind_unknown(const qs_registry *in, const char *name, qs_status code, qs_error *err)
{
    const char *names[NAMES] = {0};
    for (int i = 0; i < NAMES - 1 && in->kinds[i]; i++)
        names[i] = in->kinds[i]->name;
    char near[256];
    return qs_fail(err, code, "%s %s '%.60s'%s",
                   code == QS_E_UNSUPPORTED ? "no support for" : "unknown", in->noun, name,
                   qs_nearest(name, names, near, sizeof near));
}

static qs_status fail_memory(qs_error *err)
{
    return qs_fail_memory(err, sizeof(qs_value), "reading arguments");
}

static qs_status check_range(const qs_attr *attr, double x, qs_error *err)
{
    char low[QS_NUMBER_TEXT], high[QS_NUMBER_TEXT], got[QS_NUMBER_TEXT];
    if (x != x)
        return qs_fail(err, QS_E_ARG, "must be a number, not NaN");
    if ((attr->min == 0 && attr->max == 0) || (x >= attr->min && x <= attr->max))
        return QS_OK;
    return qs_fail(err, QS_E_ARG, "must be from %s to %s, not %s", qs_number_text(attr->min, low),
                   qs_number_text(attr->max, high), qs_number_text(x, got));
}

static qs_status read_number(const qs_attr *attr, const json_t *json, bool whole, double *out,
                             qs_error *err)
{
    if (json_array_size(json) == 1) /* Keras 2 wrote the axis of BatchNormalization as [1] */
        json = json_array_get(json, 0);
    if (!json_is_number(json))
        return qs_fail(err, QS_E_ARG, "must be %s", whole ? "an integer" : "a number");
    const double x = json_number_value(json);
    if (whole && (x > 1e15 || x < -1e15 || x != (double)(long long)x))
        return qs_fail(err, QS_E_ARG, "must be an integer, not %.17g", x);
    QS_TRY(check_range(attr, x, err));
    *out = x;
    return QS_OK;
}

/* Keras writes a NumPy array as an object. */
static const json_t *unwrap_array(const json_t *json)
{
    const char *name = json_string_value(json_object_get(json, "class_name"));
    if (name && !strcmp(name, "__numpy__"))
        return json_object_get(json_object_get(json, "config"), "value");
    return json;
}

static qs_status read_list(qs_arena *arena, const qs_attr *attr, const json_t *json, qs_value *out,
                           qs_error *err)
{
    json = unwrap_array(json);
    const size_t n = json_is_array(json) ? json_array_size(json) : 1;
    double *list = QS_NEW_N(arena, double, n ? n : 1);
    if (!list)
        return fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        const json_t *item = json_is_array(json) ? json_array_get(json, i) : json;
        if (!json_is_number(item))
            return qs_fail(err, QS_E_ARG, "must be a list of numbers");
        QS_TRY(read_number(attr, item, qs_attr_says(attr, "integer"), &list[i], err));
    }
    out->list = list;
    out->count = n;
    out->bare = !json_is_array(json) && qs_attr_says(attr, "bare");
    return QS_OK;
}

static qs_status read_text(qs_arena *arena, const qs_attr *attr, const json_t *json, qs_value *out,
                           qs_error *err)
{
    const char *text = json_string_value(json);
    if (!text)
        return qs_fail(err, QS_E_ARG, "must be text");
    if (attr->words && !listed(attr->words, text))
        return qs_fail(err, QS_E_ARG, "must be one of %s, not '%.60s'", attr->words, text);
    out->text = qs_arena_text(arena, text);
    return out->text ? QS_OK : fail_memory(err);
}

/* Whether two values say the same: 1 and 1.0, [x] and x included. */
static bool same_value(const json_t *a, const json_t *b)
{
    if (json_is_array(a) && json_array_size(a) == 1 && !json_is_array(b))
        a = json_array_get(a, 0);
    if (json_is_number(a) && json_is_number(b))
        return json_number_value(a) == json_number_value(b);
    return json_equal(a, b);
}

static qs_status read_fixed(qs_arena *arena, const qs_attr *attr, const json_t *json, qs_value *out,
                            qs_error *err)
{
    json_t *preset = qs_value_of_text(attr->preset, strlen(attr->preset));
    if (!preset)
        return fail_memory(err);
    const bool same = same_value(json, preset);
    json_decref(preset);
    if (!same) {
        char *got = json_dumps(json, JSON_ENCODE_ANY | JSON_COMPACT);
        const qs_status status =
            qs_fail(err, QS_E_UNSUPPORTED, "%.80s is not supported, only %s is",
                    got ? got : "this value", attr->preset);
        qs_free(got);
        return status;
    }
    out->text = qs_arena_text(arena, attr->preset);
    return out->text ? QS_OK : fail_memory(err);
}

static qs_status read_spec(qs_arena *arena, const qs_attr *attr, const json_t *json, qs_value *out,
                           qs_error *err)
{
    const qs_registry *in = qs_registry_find(attr->words);
    QS_TRY(qs_spec_read(arena, in, json, &out->spec, err));
    out->null = !out->spec;
    return QS_OK;
}

static qs_status read_present(qs_arena *arena, const qs_attr *attr, const json_t *json,
                              qs_value *out, qs_error *err)
{
    switch (attr->type) {
    case QS_ATTR_NUMBER:
        if (!json_is_number(json) && attr->words && qs_registry_find(attr->words))
            return read_spec(arena, attr, json, out, err);
        return read_number(attr, json, false, &out->number, err);
    case QS_ATTR_INTEGER:
        return read_number(attr, json, true, &out->number, err);
    case QS_ATTR_BOOL:
        if (!json_is_boolean(json))
            return qs_fail(err, QS_E_ARG, "must be true or false");
        out->number = json_is_true(json);
        return QS_OK;
    case QS_ATTR_TEXT:
        return read_text(arena, attr, json, out, err);
    case QS_ATTR_NUMBERS:
        return read_list(arena, attr, json, out, err);
    case QS_ATTR_SPEC:
        return read_spec(arena, attr, json, out, err);
    case QS_ATTR_FIXED:
        break;
    }
    return read_fixed(arena, attr, json, out, err);
}

/* What Python calls None: allowed where it is the preset; for a spec it means the preset. */
static qs_status read_null(qs_arena *arena, const qs_attr *attr, qs_value *out, qs_error *err)
{
    if (!attr->preset || (attr->type != QS_ATTR_SPEC && strcmp(attr->preset, "null")))
        return qs_fail(err, QS_E_ARG, "must not be null");
    if (!strcmp(attr->preset, "null")) {
        out->null = true;
        return QS_OK;
    }
    return qs_spec_parse(arena, qs_registry_find(attr->words), attr->preset, &out->spec, err);
}

static qs_status read_value(qs_arena *arena, const qs_attr *attr, const json_t *json, qs_value *out,
                            qs_error *err)
{
    if (!json_is_null(json))
        return read_present(arena, attr, json, out, err);
    if (attr->type == QS_ATTR_FIXED && strcmp(attr->preset, "null"))
        return read_fixed(arena, attr, json, out, err);
    return read_null(arena, attr, out, err);
}

static qs_status read_preset(qs_arena *arena, const qs_attr *attr, qs_value *out, qs_error *err)
{
    json_t *json = qs_value_of_text(attr->preset, strlen(attr->preset));
    if (!json)
        return fail_memory(err);
    const qs_status status = read_value(arena, attr, json, out, err);
    json_decref(json);
    return status;
}

static size_t attr_count(const qs_kind *kind)
{
    size_t n = 0;
    while (kind->attrs && kind->attrs[n].name)
        n++;
    return n;
}

static qs_status unknown_arg(const qs_kind *kind, const char *name, bool keras, qs_error *err)
{
    const char *names[NAMES] = {0};
    const size_t n = attr_count(kind);
    for (size_t i = 0; i < n && i < NAMES - 1; i++)
        names[i] = kind->attrs[i].name;
    if (keras)
        return qs_fail(err, QS_E_UNSUPPORTED, "no support for its option '%.60s'", name);
    char near[256];
    return qs_fail(err, QS_E_ARG, "unknown argument '%.60s'%s", name,
                   n ? qs_nearest(name, names, near, sizeof near) : " (it takes none)");
}

static bool has_attr(const qs_kind *kind, const char *name)
{
    for (const qs_attr *attr = kind->attrs; attr && attr->name; attr++)
        if (!strcmp(attr->name, name))
            return true;
    return false;
}

static qs_status check_args(const qs_kind *kind, const json_t *args, bool keras, qs_error *err)
{
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)args, name, value) {
        if (*name == QS_HIDDEN || has_attr(kind, name))
            continue;
        bool fine = false;
        if (keras)
            QS_TRY(qs_keras_common(name, value, &fine, err));
        if (fine)
            continue;
        const int line = qs_json_line(args, name, -1);
        const qs_status status = unknown_arg(kind, name, keras, err);
        return line ? qs_context(err, status, "line %d", line) : status;
    }
    return QS_OK;
}

static qs_status read_attr(qs_arena *arena, const qs_attr *attr, const json_t *args, qs_value *out,
                           qs_error *err)
{
    const json_t *json = json_object_get(args, attr->name);
    if (!json && !attr->preset)
        return qs_fail(err, QS_E_ARG, "needs the argument '%s'", attr->name);
    if (!json)
        return read_preset(arena, attr, out, err);
    qs_status status = read_value(arena, attr, json, out, err);
    if (status != QS_OK) {
        const int line = qs_json_line(args, attr->name, -1);
        qs_context(err, status, "%s", attr->name);
        if (line && err && !strstr(err->text, ": line "))
            qs_context(err, status, "line %d", line);
    }
    return status;
}

static qs_status read_args(qs_arena *arena, const qs_kind *kind, const json_t *args, bool keras,
                           const qs_spec **out, qs_error *err)
{
    if (args && !json_is_object(args) && !json_is_null(args))
        return qs_fail(err, QS_E_ARG, "arguments must be a mapping of names to values");
    const size_t n = attr_count(kind);
    qs_spec *spec = QS_NEW(arena, qs_spec);
    qs_value *value = QS_NEW_N(arena, qs_value, n ? n : 1);
    if (!spec || !value)
        return fail_memory(err);

    QS_TRY(check_args(kind, args, keras, err));
    for (size_t i = 0; i < n; i++)
        QS_TRY(read_attr(arena, &kind->attrs[i], args, &value[i], err));
    *spec = (qs_spec){.kind = kind, .value = value};
    *out = spec;
    return QS_OK;
}

qs_status qs_spec_read_args(qs_arena *arena, const qs_kind *kind, const json_t *args,
                            const qs_spec **out, qs_error *err)
{
    qs_json_setup();
    return qs_context(err, read_args(arena, kind, args, false, out, err), "%s", kind->name);
}

/* {name: arguments}, where one bare value is the kind's positional argument. */
static qs_status read_recipe(qs_arena *arena, const qs_kind *kind, const json_t *args,
                             const qs_spec **out, qs_error *err)
{
    if (json_is_object(args) || json_is_null(args))
        return read_args(arena, kind, args, false, out, err);
    if (!kind->positional)
        return qs_fail(err, QS_E_ARG, "takes {argument: value}, not a bare value");
    json_t *named = json_object();
    if (json_object_set(named, kind->positional, (json_t *)args)) {
        json_decref(named);
        return fail_memory(err);
    }
    const qs_status status = read_args(arena, kind, named, false, out, err);
    json_decref(named);
    return status;
}

static bool is_function(const json_t *json)
{
    return !strcmp(json_string_value(json_object_get(json, "class_name")), "function");
}

/* A function that somebody registered as "package>name" is known only where Keras has none of that
 * name: nobody's own "relu" is taken for Keras'. */
static const qs_kind *find_function(const qs_registry *in, const char *name)
{
    const char *mark = strchr(name, '>');
    const qs_kind *kind = qs_kind_find(in, mark ? mark + 1 : name);
    return kind && !kind->keras ? kind : NULL;
}

static qs_status read_keras(qs_arena *arena, const qs_registry *in, const json_t *json,
                            const qs_spec **out, qs_error *err)
{
    const char *name;
    QS_TRY(qs_keras_class(json, &name, err));
    const qs_kind *kind = qs_kind_find(in, name);
    if (is_function(json))
        kind = find_function(in, name);
    if (!kind)
        return qs_kind_unknown(in, name, QS_E_UNSUPPORTED, err);
    const json_t *config = json_object_get(json, "config");
    if (json_is_string(config)) /* a registered function */
        config = NULL;
    return qs_context(err, read_args(arena, kind, config, true, out, err), "%s", kind->name);
}

/* The one key of {name: arguments}; NULL where there is not exactly one. */
static const char *only_key(const json_t *json)
{
    const char *key, *found = NULL;
    json_t *value;
    json_object_foreach ((json_t *)json, key, value) {
        if (*key == QS_HIDDEN)
            continue;
        if (found)
            return NULL;
        found = key;
    }
    return found;
}

static qs_status read_named(qs_arena *arena, const qs_registry *in, const json_t *json,
                            const qs_spec **out, qs_error *err)
{
    const char *name = only_key(json);
    if (!name)
        return qs_fail(err, QS_E_ARG, "takes one %s: {NAME: {argument: value}}", in->noun);
    const int line = qs_json_line(json, name, -1);
    const qs_kind *kind = qs_kind_find(in, name);
    qs_status status;
    if (!kind)
        status = qs_kind_unknown(in, name, QS_E_ARG, err);
    else
        status = qs_context(err, read_recipe(arena, kind, json_object_get(json, name), out, err),
                            "%s", kind->name);
    if (status != QS_OK && line && err && !strstr(err->text, "line "))
        qs_context(err, status, "line %d", line);
    return status;
}

qs_status qs_spec_read(qs_arena *arena, const qs_registry *in, const json_t *json,
                       const qs_spec **out, qs_error *err)
{
    qs_json_setup();
    if (json_is_null(json)) {
        *out = NULL;
        return QS_OK;
    }
    if (json_is_string(json))
        return qs_spec_parse(arena, in, json_string_value(json), out, err);
    if (!json_is_object(json))
        return qs_fail(err, QS_E_ARG, "must be the name of a %s", in->noun);
    if (json_object_get(json, "class_name"))
        return read_keras(arena, in, json, out, err);
    return read_named(arena, in, json, out, err);
}
