/* SPDX-License-Identifier: MIT */
/* json_text.c - JSON text in and out, by jansson. */
#include <string.h>

#include "base/alloc.h"
#include "format/keras_config.h"

enum { FEWEST_DIGITS = 15, MOST_DIGITS = 17 };

qs_status qs_json_parse(const char *text, size_t bytes, json_t **out, qs_error *err)
{
    qs_json_setup();
    json_error_t why;
    json_t *json = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &why);
    if (!json && json_error_code(&why) == json_error_out_of_memory)
        return qs_fail_memory(err, (double)bytes, "JSON text");
    if (!json)
        return qs_fail(err, QS_E_FORMAT, "line %d, column %d: malformed JSON: %s", why.line,
                       why.column, why.text);
    *out = json;
    return QS_OK;
}

/* Whether the text gives the same tree again. */
static bool reads_back(const char *text, const json_t *json)
{
    json_t *again = json_loads(text, 0, NULL);
    const bool same = again && json_equal(again, json);
    json_decref(again);
    return same;
}

char *qs_json_text(const json_t *json)
{
    for (int digits = FEWEST_DIGITS;; digits++) {
        char *text = json_dumps(json, JSON_REAL_PRECISION((size_t)digits));
        if (!text || digits == MOST_DIGITS || reads_back(text, json))
            return text;
        qs_free(text);
    }
}
