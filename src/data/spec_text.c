/* SPDX-License-Identifier: MIT */
/* spec_text.c - cuts of a data spec. */
#include "data/spec_text.h"

#include <string.h>

#include "base/file.h"

size_t qs_spec_file(const char *spec, const char *end, const char **after)
{
    const size_t n = strlen(spec), ending = strlen(end);
    for (size_t at = n; at >= ending && at > 0; at--) {
        if (spec[at] && spec[at] != ':')
            continue;
        if (strncasecmp(spec + at - ending, end, ending) == 0) {
            *after = spec[at] ? spec + at + 1 : "";
            return at;
        }
    }
    return 0;
}

const char *qs_spec_copy(qs_arena *arena, const char *text, size_t n)
{
    char *const copy = qs_arena_alloc(arena, n + 1, 1);
    return copy ? memcpy(copy, text, n) : NULL;
}

qs_status qs_spec_words(qs_arena *arena, const char *text, size_t most, const char **word,
                        size_t *count, qs_error *err)
{
    size_t n = 0;
    for (const char *at = text; at;) {
        const size_t length = strcspn(at, ",");
        if (n == most || length == 0)
            return qs_fail(err, QS_E_ARG, "'%s' must be 1 to %zu names with commas between them",
                           text, most);
        word[n] = qs_spec_copy(arena, at, length);
        if (!word[n++])
            return qs_fail_memory(err, (double)length, "a data spec");
        at = at[length] ? at + length + 1 : NULL;
    }
    *count = n;
    return QS_OK;
}

qs_status qs_spec_paths(qs_arena *arena, const char *spec, const char *path[3], size_t *count,
                        qs_error *err)
{
    if (!qs_file_exists(spec))
        return qs_spec_words(arena, spec, 3, path, count, err);
    path[0] = qs_spec_copy(arena, spec, strlen(spec));
    *count = 1;
    return path[0] ? QS_OK : qs_fail_memory(err, (double)strlen(spec), "a data spec");
}
