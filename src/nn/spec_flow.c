/* SPDX-License-Identifier: MIT */
/* spec_flow.c - JSON as one line of YAML, with the quotes left out that YAML does not need. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/number.h"
#include "nn/spec_form.h"

static bool plain(const char *text)
{
    static const char *const others[] = {"null", "true", "false", "yes", "no",
                                         "on",   "off",  "y",     "n"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcasecmp(text, others[i]))
            return false;
    double x;
    if (!isalpha((unsigned char)*text) || qs_number_parse(text, strlen(text), &x))
        return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && !strchr("_.-", *text))
            return false;
    return true;
}

/* text + separator + word, all owned; NULL and all freed when memory runs out. */
static char *join(char *text, const char *separator, char *word)
{
    char *longer = text && word ? qs_format("%s%s%s", text, separator, word) : NULL;
    qs_free(text);
    qs_free(word);
    return longer;
}

static char *list_flow(const json_t *json)
{
    char *text = qs_strdup("[");
    for (size_t i = 0; i < json_array_size(json); i++)
        text = join(text, i ? ", " : "", qs_json_flow(json_array_get(json, i)));
    return join(text, "", qs_strdup("]"));
}

static char *object_flow(const json_t *json)
{
    char *text = qs_strdup("{");
    const char *key, *separator = "";
    json_t *value;
    json_object_foreach ((json_t *)json, key, value) {
        if (*key == QS_HIDDEN)
            continue;
        text = join(text, separator, qs_strdup(key));
        text = join(text, ": ", qs_json_flow(value));
        separator = ", ";
    }
    return join(text, "", qs_strdup("}"));
}

char *qs_json_flow(const json_t *json)
{
    char number[QS_NUMBER_TEXT];
    if (json_is_object(json))
        return object_flow(json);
    if (json_is_array(json))
        return list_flow(json);
    if (json_is_number(json))
        return qs_strdup(qs_number_text(json_number_value(json), number));
    if (json_is_string(json) && plain(json_string_value(json)))
        return qs_strdup(json_string_value(json));
    return json_dumps(json, JSON_ENCODE_ANY);
}

char *qs_spec_options(const qs_spec *spec)
{
    json_t *recipe = qs_spec_recipe(spec);
    if (!recipe)
        return NULL;
    char *text = json_is_object(recipe) ? qs_json_flow(json_object_get(recipe, spec->kind->name))
                                        : qs_strdup("");
    json_decref(recipe);
    return text;
}
