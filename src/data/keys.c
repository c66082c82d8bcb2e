/* SPDX-License-Identifier: MIT */
/* keys.c - finds the arrays of a set by asked-for or well-known names. */
#include "data/keys.h"

#include <stdio.h>
#include <string.h>

#include "data/spec_text.h"
#include "quickstep/status.h"

const char *const qs_keys_known[] = {"x",      "y",      "x_train",       "y_train",
                                     "x_test", "y_test", "data",          "target",
                                     "arr_0",  "arr_1",  "sample_weight", NULL};

static bool has(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* "'x', 'y' and 3 more" */
static void list(const char *const *names, char *text, size_t bytes)
{
    size_t count = 0, shown = 0;
    while (names[count])
        count++;
    text[0] = 0;
    for (size_t at = 0; shown < count && shown < 6 && at < bytes; shown++)
        at += (size_t)snprintf(text + at, bytes - at, "%s'%.32s'", shown ? ", " : "", names[shown]);
    const size_t at = strlen(text);
    if (shown < count)
        snprintf(text + at, bytes - at, " and %zu more", count - shown);
    else if (count == 0)
        snprintf(text, bytes, "none");
}

static qs_status check(const char *const *names, const char *name, qs_error *err)
{
    char near[160], there[300];
    if (!name || has(names, name))
        return QS_OK;
    list(names, there, sizeof there);
    return qs_fail(err, QS_E_MISSING, "no array '%s'%s; the file has: %s", name,
                   qs_nearest(name, names, near, sizeof near), there);
}

static qs_status find_asked(qs_arena *arena, const char *wanted, const char *const *names,
                            qs_keys *out, qs_error *err)
{
    const char *word[3] = {NULL, NULL, NULL};
    size_t count;
    QS_TRY(qs_spec_words(arena, wanted, 3, word, &count, err));
    for (size_t i = 0; i < count; i++)
        QS_TRY(check(names, word[i], err));
    *out = (qs_keys){.x = word[0], .y = word[1], .w = word[2]};
    return QS_OK;
}

qs_status qs_keys_find(qs_arena *arena, const char *wanted, const char *const *names, qs_keys *out,
                       qs_error *err)
{
    static const char *const known[][2] = {
        {"x", "y"}, {"x_train", "y_train"}, {"data", "target"}, {"arr_0", "arr_1"}};
    if (*wanted)
        return find_asked(arena, wanted, names, out, err);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!has(names, known[i][0]))
            continue;
        const bool labels = has(names, known[i][1]);
        *out = (qs_keys){
            .x = known[i][0],
            .y = labels ? known[i][1] : NULL,
            .w = has(names, "sample_weight") ? "sample_weight" : NULL,
            .test = i == 1 && has(names, "x_test") && has(names, "y_test"),
        };
        return QS_OK;
    }
    char there[300];
    list(names, there, sizeof there);
    return qs_fail(err, QS_E_MISSING,
                   "no arrays x/y, x_train/y_train or data/target; name them after a colon (:X,Y); "
                   "the file has: %s",
                   there);
}
