/* SPDX-License-Identifier: MIT */
/* options.c - reads a command line by option tables. */
#include "options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "text.h"

int option_has_value(const option *o)
{
    return o->kind == OPT_COUNT || o->kind == OPT_REAL || o->kind == OPT_TEXT;
}

int option_names_files(const option *o)
{
    return o->choices && o->choices[0] == '/';
}

const char *option_registry(const option *o)
{
    return o->choices && o->choices[0] == '@' ? o->choices + 1 : NULL;
}

int option_is_closed(const option *o)
{
    return o->choices && !option_registry(o) && !option_names_files(o);
}

static void put(const option *o, unsigned char *into, const void *value, size_t bytes)
{
    memcpy(into + o->at, value, bytes);
}

static void put_int(const option *o, unsigned char *into, int value)
{
    put(o, into, &value, sizeof value);
}

static void forget(const option *o, unsigned char *into)
{
    const int64_t no_count = -1;
    const double no_real = (double)NAN;
    const char *no_text = NULL;
    switch (o->kind) {
    case OPT_FLAG:
        put_int(o, into, 0);
        break;
    case OPT_SWITCH:
        put_int(o, into, -1);
        break;
    case OPT_COUNT:
        put(o, into, &no_count, sizeof no_count);
        break;
    case OPT_REAL:
        put(o, into, &no_real, sizeof no_real);
        break;
    case OPT_TEXT:
        put(o, into, &no_text, sizeof no_text);
        break;
    case OPT_END:
    case OPT_HEADING:
        break;
    }
}

static int unlimited(const option *o)
{
    return o->min == 0 && o->max == 0;
}

static qs_status out_of_range(const option *o, const char *where, const char *value, qs_error *err)
{
    const char *kind = o->kind == OPT_COUNT ? "a whole number" : "a number";
    if (unlimited(o))
        return fail(err, QS_E_ARG,
                    "%s: '%s' is not %s that is not negative; give one, as in --%s 1", where, value,
                    kind, o->name);
    return fail(err, QS_E_ARG, "%s: '%s' is not %s from %.15g to %.15g; give one in that range",
                where, value, kind, o->min, o->max);
}

static int within(const option *o, double x)
{
    return x >= o->min && (unlimited(o) || x <= o->max);
}

static qs_status store_count(const option *o, unsigned char *into, const char *where,
                             const char *value, qs_error *err)
{
    int64_t count;
    if (!integer_parse(value, &count) || !within(o, (double)count))
        return out_of_range(o, where, value, err);
    put(o, into, &count, sizeof count);
    return QS_OK;
}

static qs_status store_real(const option *o, unsigned char *into, const char *where,
                            const char *value, qs_error *err)
{
    double real;
    if (!number_parse(value, &real) || !within(o, real))
        return out_of_range(o, where, value, err);
    put(o, into, &real, sizeof real);
    return QS_OK;
}

/* Whether text is one of "a|b|c". */
static int is_choice(const char *choices, const char *text)
{
    const size_t len = strlen(text);
    for (const char *c = choices; *c; c += strcspn(c, "|"), c += *c == '|')
        if (strcspn(c, "|") == len && memcmp(c, text, len) == 0)
            return 1;
    return 0;
}

static qs_status store_text(const option *o, unsigned char *into, const char *where,
                            const char *value, qs_error *err)
{
    if (!*value)
        return fail(err, QS_E_ARG, "%s: the value is empty; give %s", where, o->operand);
    if (option_is_closed(o) && !is_choice(o->choices, value))
        return fail(err, QS_E_ARG, "%s: '%s' is not known; give one of %s", where, value,
                    o->choices);
    put(o, into, &value, sizeof value);
    return QS_OK;
}

static qs_status store(const option *o, unsigned char *into, const char *where, const char *value,
                       qs_error *err)
{
    switch (o->kind) {
    case OPT_COUNT:
        return store_count(o, into, where, value, err);
    case OPT_REAL:
        return store_real(o, into, where, value, err);
    case OPT_TEXT:
        return store_text(o, into, where, value, err);
    case OPT_FLAG:
    case OPT_SWITCH:
        put_int(o, into, 1);
        break;
    case OPT_END:
    case OPT_HEADING:
        break;
    }
    return QS_OK;
}

qs_status options_reset(const option_target *targets, size_t n, qs_error *err)
{
    for (size_t t = 0; t < n; t++)
        for (const option *o = targets[t].table; o->kind != OPT_END; o++) {
            forget(o, targets[t].into);
            const char *env = o->env ? getenv(o->env) : NULL;
            const char *value = env && *env ? env : o->preset;
            const char *where = value == env ? o->env : o->name;
            const qs_status s = value ? store(o, targets[t].into, where, value, err) : QS_OK;
            if (s != QS_OK)
                return s;
        }
    return QS_OK;
}

/* One argument that begins with "--", taken apart. */
typedef struct argument {
    const char *name; /* behind the dashes, and behind "no-" where `negated` */
    size_t len;
    const char *value; /* behind '='; NULL: none */
    int negated;
} argument;

static int is_named(const option *o, const char *name, size_t len)
{
    return o->name && strlen(o->name) == len && memcmp(o->name, name, len) == 0;
}

static const option *find(const option_target *targets, size_t n, argument *arg,
                          unsigned char **into)
{
    for (size_t t = 0; t < n; t++)
        for (const option *o = targets[t].table; o->kind != OPT_END; o++) {
            *into = targets[t].into;
            if (is_named(o, arg->name, arg->len))
                return o;
            if (o->kind == OPT_SWITCH && arg->len > 3 && memcmp(arg->name, "no-", 3) == 0 &&
                is_named(o, arg->name + 3, arg->len - 3)) {
                arg->negated = 1;
                return o;
            }
        }
    return NULL;
}

enum { MOST_NAMES = 128, NAME = 40 };

/* "--x", and "--no-x" where that is one, of every option. */
typedef struct name_list {
    char text[MOST_NAMES][NAME];
    const char *name[MOST_NAMES + 1]; /* ends with NULL */
    size_t count;
} name_list;

static void add_name(name_list *list, const char *dashes, const char *name)
{
    if (list->count == MOST_NAMES)
        return;
    snprintf(list->text[list->count], NAME, "%s%s", dashes, name);
    list->name[list->count] = list->text[list->count];
    list->name[++list->count] = NULL;
}

static qs_status unknown(const option_target *targets, size_t n, const char *arg, qs_error *err)
{
    name_list list = {.count = 0};
    char given[NAME], near[256];
    for (size_t t = 0; t < n; t++)
        for (const option *o = targets[t].table; o->kind != OPT_END; o++) {
            if (o->name)
                add_name(&list, "--", o->name);
            if (o->kind == OPT_SWITCH)
                add_name(&list, "--no-", o->name);
        }
    snprintf(given, sizeof given, "%.*s", (int)strcspn(arg, "="), arg);
    return fail(err, QS_E_ARG, "unknown option %s%s; --help lists them all", given,
                qs_nearest(given, list.name, near, sizeof near));
}

/* Read the option at argv[*i], and its value, which may be argv[*i + 1]. */
static qs_status parse_one(const option_target *targets, size_t n, int argc, char **argv, int *i,
                           qs_error *err)
{
    const char *text = argv[*i];
    const size_t len = strcspn(text + 2, "=");
    argument arg = {text + 2, len, text[2 + len] ? text + 2 + len + 1 : NULL, 0};
    unsigned char *into = NULL;
    const option *o = text[1] == '-' ? find(targets, n, &arg, &into) : NULL;
    if (!o)
        return unknown(targets, n, text, err);
    if (!option_has_value(o)) {
        if (arg.value)
            return fail(err, QS_E_ARG, "--%.*s: takes no value; leave '=%s' out", (int)arg.len,
                        arg.name, arg.value);
        put_int(o, into, !arg.negated);
        return QS_OK;
    }
    if (!arg.value && *i + 1 < argc && strncmp(argv[*i + 1], "--", 2) != 0)
        arg.value = argv[++*i];
    if (!arg.value)
        return fail(err, QS_E_ARG, "--%s: the value is missing; give --%s %s", o->name, o->name,
                    o->operand);
    char where[64];
    snprintf(where, sizeof where, "--%s", o->name);
    return store(o, into, where, arg.value, err);
}

qs_status options_parse(const option_target *targets, size_t n, int argc, char **argv,
                        operand_list *operands, qs_error *err)
{
    int only_operands = 0;
    for (int i = 0; i < argc; i++) {
        if (!only_operands && strcmp(argv[i], "--") == 0) {
            only_operands = 1;
        } else if (!only_operands && argv[i][0] == '-' && argv[i][1]) {
            const qs_status s = parse_one(targets, n, argc, argv, &i, err);
            if (s != QS_OK)
                return s;
        } else if (operands->count == operands->room) {
            return fail(err, QS_E_ARG, "'%s' is one operand too many; --help shows what goes where",
                        argv[i]);
        } else {
            operands->operand[operands->count++] = argv[i];
        }
    }
    return QS_OK;
}

static json_t *value_json(const option *o, const unsigned char *from)
{
    int flag;
    int64_t count;
    double real;
    const char *text;
    switch (o->kind) {
    case OPT_COUNT:
        memcpy(&count, from + o->at, sizeof count);
        return count < 0 ? json_null() : json_integer(count);
    case OPT_REAL:
        memcpy(&real, from + o->at, sizeof real);
        return json_number(real);
    case OPT_TEXT:
        memcpy(&text, from + o->at, sizeof text);
        return json_text(text);
    case OPT_FLAG:
    case OPT_SWITCH:
        memcpy(&flag, from + o->at, sizeof flag);
        return flag < 0 ? json_null() : json_boolean(flag);
    case OPT_END:
    case OPT_HEADING:
        break;
    }
    return json_null();
}

json_t *options_json(const option *table, const void *from)
{
    json_t *all = json_object();
    for (const option *o = table; o->kind != OPT_END; o++)
        if (o->name)
            json_object_set_new(all, o->name, value_json(o, from));
    return all;
}
