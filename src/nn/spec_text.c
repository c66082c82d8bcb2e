/* SPDX-License-Identifier: MIT */
/* spec_text.c - named things with arguments as one word of a command line. */
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "nn/spec_form.h"

enum { NESTING = 16, WORD = 256 };

/* Bytes up to the next `stop` outside brackets. */
static size_t span(const char *text, size_t n, char stop)
{
    int depth = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '[' || text[i] == '(')
            depth++;
        else if (text[i] == ']' || text[i] == ')')
            depth--;
        else if (text[i] == stop && depth <= 0)
            return i;
    }
    return n;
}

static bool is(const char *text, size_t n, const char *word)
{
    return strlen(word) == n && !memcmp(text, word, n);
}

static json_t *number_value(double x)
{
    if (x < 1e15 && x > -1e15 && x == (double)(long long)x)
        return json_integer((json_int_t)x);
    return json_real(x);
}

static json_t *scalar_of_text(const char *text, size_t n)
{
    double x;
    if (is(text, n, "null") || is(text, n, "None"))
        return json_null();
    if (is(text, n, "true") || is(text, n, "True"))
        return json_true();
    if (is(text, n, "false") || is(text, n, "False"))
        return json_false();
    if (qs_number_parse(text, n, &x) && x - x == 0)
        return number_value(x);
    return json_stringn(text, n);
}

static json_t *list_of_text(const char *text, size_t n)
{
    json_t *list = json_array();
    while (list && n) {
        const size_t item = span(text, n, ',');
        if (json_array_append_new(list, scalar_of_text(text, item))) {
            json_decref(list);
            return NULL;
        }
        const size_t past = item < n ? item + 1 : item;
        text += past;
        n -= past;
    }
    return list;
}

json_t *qs_value_of_text(const char *text, size_t n)
{
    if (n >= 2 && text[0] == '[' && text[n - 1] == ']')
        return list_of_text(text + 1, n - 2);
    if (n >= 2 && text[0] == '(' && text[n - 1] == ')')
        return json_stringn(text + 1, n - 2);
    return scalar_of_text(text, n);
}

/* k=v,k=v … as an object. */
static qs_status args_of_text(const char *text, json_t *args, qs_error *err)
{
    size_t n = strlen(text);
    while (n) {
        const size_t item = span(text, n, ',');
        const size_t key = span(text, item, '=');
        char name[WORD];
        if (!key || key == item || key >= sizeof name)
            return qs_fail(err, QS_E_ARG, "'%.*s' must be argument=value",
                           (int)(item < 60 ? item : 60), text);
        memcpy(name, text, key);
        name[key] = 0;
        if (json_object_get(args, name))
            return qs_fail(err, QS_E_ARG, "'%s' is given twice", name);
        if (json_object_set_new(args, name, qs_value_of_text(text + key + 1, item - key - 1)))
            return qs_fail(err, QS_E_ARG, "'%.60s' is not UTF-8, or memory ran out", name);
        const size_t past = item < n ? item + 1 : item;
        text += past;
        n -= past;
    }
    return QS_OK;
}

static int nesting(const char *text)
{
    int depth = 0, most = 0;
    for (; *text; text++) {
        depth += (*text == '(') - (*text == ')');
        most = depth > most ? depth : most;
    }
    return most;
}

/* A lone value after the colon, "dropout:0.2", is the positional argument. */
static qs_status read_args(const qs_kind *kind, const char *text, json_t *args, qs_error *err)
{
    const size_t n = strlen(text);
    if (n && kind->positional && span(text, n, '=') == n && span(text, n, ',') == n) {
        if (json_object_set_new(args, kind->positional, qs_value_of_text(text, n)))
            return qs_fail(err, QS_E_ARG, "'%.60s' is not UTF-8, or memory ran out", text);
        return QS_OK;
    }
    return args_of_text(text, args, err);
}

qs_status qs_spec_parse(qs_arena *arena, const qs_registry *in, const char *text,
                        const qs_spec **out, qs_error *err)
{
    qs_json_setup();
    if (!strcmp(text, "null")) {
        *out = NULL;
        return QS_OK;
    }
    char name[WORD];
    const size_t n = strcspn(text, ":");
    if (!n || n >= sizeof name)
        return qs_fail(err, QS_E_ARG, "'%.60s' is not the name of a %s", text, in->noun);
    if (nesting(text) > NESTING)
        return qs_fail(err, QS_E_ARG, "'%.60s' is nested deeper than %d", text, (int)NESTING);
    memcpy(name, text, n);
    name[n] = 0;
    const qs_kind *kind = qs_kind_find(in, name);
    if (!kind)
        return qs_kind_unknown(in, name, QS_E_ARG, err);

    json_t *args = json_object();
    if (!args)
        return qs_fail_memory(err, WORD, "reading arguments");
    qs_status status =
        qs_context(err, read_args(kind, text + n + (text[n] == ':'), args, err), "%s", kind->name);
    if (status == QS_OK)
        status = qs_spec_read_args(arena, kind, args, out, err);
    json_decref(args);
    return status;
}

/* Whether the text goes on with an argument of the spec before it: a '=' before any ':' or ','. */
static bool is_argument(const char *text)
{
    return text[strcspn(text, "=:,")] == '=';
}

bool qs_spec_next(const char **text, const char **part, size_t *bytes)
{
    const char *start = *text;
    if (!*start)
        return false;
    size_t n = span(start, strlen(start), ',');
    while (start[n] == ',' && is_argument(start + n + 1))
        n += 1 + span(start + n + 1, strlen(start + n + 1), ',');
    *part = start;
    *bytes = n;
    *text = start + n + (start[n] == ',');
    return true;
}

static char *spec_text(const qs_spec *spec);

static char *list_text(const qs_value *value)
{
    char bare[QS_NUMBER_TEXT];
    if (value->bare)
        return qs_strdup(qs_number_text(value->list[0], bare));
    char *text = qs_strdup("[");
    for (size_t i = 0; i < value->count && text; i++) {
        char number[QS_NUMBER_TEXT];
        char *longer =
            qs_format("%s%s%s", text, i ? "," : "", qs_number_text(value->list[i], number));
        qs_free(text);
        text = longer;
    }
    char *closed = text ? qs_format("%s]", text) : NULL;
    qs_free(text);
    return closed;
}

static char *nested_text(const qs_spec *spec)
{
    char *text = spec_text(spec);
    if (!text || !strchr(text, ':'))
        return text;
    char *braced = qs_format("(%s)", text);
    qs_free(text);
    return braced;
}

static char *value_text(const qs_attr *attr, const qs_value *value)
{
    char number[QS_NUMBER_TEXT];
    if (value->null)
        return qs_strdup("null");
    if (qs_holds_spec(attr, value))
        return nested_text(value->spec);
    switch (attr->type) {
    case QS_ATTR_NUMBER:
    case QS_ATTR_INTEGER:
        return qs_strdup(qs_number_text(value->number, number));
    case QS_ATTR_BOOL:
        return qs_strdup(value->number != 0 ? "true" : "false");
    case QS_ATTR_NUMBERS:
        return list_text(value);
    case QS_ATTR_SPEC:
    case QS_ATTR_TEXT:
    case QS_ATTR_FIXED:
        break;
    }
    return qs_strdup(value->text);
}

/* Appends one argument; takes and gives ownership of `text`. */
static char *append(char *text, char mark, const qs_attr *attr, const qs_value *value)
{
    char *word = value_text(attr, value);
    char *longer = word ? qs_format("%s%c%s=%s", text, mark, attr->name, word) : NULL;
    qs_free(word);
    qs_free(text);
    return longer;
}

static char *spec_text(const qs_spec *spec)
{
    char *text = qs_strdup(spec->kind->name), mark = ':';
    const qs_attr *attr = spec->kind->attrs;
    for (size_t i = 0; text && attr && attr[i].name; i++) {
        if (qs_value_is_preset(&attr[i], &spec->value[i]))
            continue;
        text = append(text, mark, &attr[i], &spec->value[i]);
        mark = ',';
    }
    return text;
}

char *qs_spec_text(const qs_spec *spec)
{
    qs_json_setup();
    return spec ? spec_text(spec) : qs_strdup("null");
}
