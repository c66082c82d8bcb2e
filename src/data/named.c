/* SPDX-License-Identifier: MIT */
/* named.c - looks for a named set: $QUICKSTEP_DATA, Keras' folder, the cache, the system's. */
#include "data/named.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "data/idx.h"
#include "data/npz.h"
#include "data/spec_text.h"

enum { PLACES = 4, FOLDER = PATH_MAX - 64 };

typedef struct places {
    char folder[PLACES][FOLDER];
    int count;
} places;

static void add(places *all, const char *base, const char *below)
{
    char *const to = all->folder[all->count];
    const int n = base && *base ? snprintf(to, FOLDER, "%s%s", base, below) : 0;
    if (n > 0 && n < FOLDER)
        all->count++;
}

static void search_order(places *all)
{
    const char *const home = getenv("HOME"), *const cache = getenv("QUICKSTEP_CACHE"),
                      *const caches = getenv("XDG_CACHE_HOME");
    all->count = 0;
    add(all, getenv("QUICKSTEP_DATA"), "");
    add(all, home, "/.keras/datasets");
    if (cache && *cache)
        add(all, cache, "");
    else if (caches && *caches)
        add(all, caches, "/quickstep");
    else
        add(all, home, "/.cache/quickstep");
    add(all, "/usr/share/datasets", "");
}

bool qs_named_match(const qs_named_set *set, const char *spec)
{
    const size_t n = strlen(set->name);
    return strncmp(spec, set->name, n) == 0 && (!spec[n] || spec[n] == ':');
}

qs_status qs_named_part(const char *name, const char *spec, bool *test, qs_error *err)
{
    const char *const part = spec[strlen(name)] ? spec + strlen(name) + 1 : "train";
    *test = strcmp(part, "test") == 0;
    if (!*test && strcmp(part, "train") != 0)
        return qs_fail(err, QS_E_ARG, "%s has no part '%s'; there are '%s' and '%s:test'", name,
                       part, name, name);
    return QS_OK;
}

/* folder/PART-images-idx3-ubyte and its labels, .gz or not. */
static bool find_pair(const char *folder, const char *part, char images[PATH_MAX],
                      char labels[PATH_MAX])
{
    static const char *const ends[] = {"", ".gz"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(images, PATH_MAX, "%s/%s-images-idx3-ubyte%s", folder, part, ends[i]);
        snprintf(labels, PATH_MAX, "%s/%s-labels-idx1-ubyte%s", folder, part, ends[i]);
        if (qs_file_exists(images) && qs_file_exists(labels))
            return true;
    }
    return false;
}

static qs_status open_in(const qs_named_set *set, const char *base, bool test, qs_store *store,
                         qs_parts *out, bool *found, qs_error *err)
{
    char folder[FOLDER], images[PATH_MAX], labels[PATH_MAX], npz[PATH_MAX];
    const int n = snprintf(folder, sizeof folder, "%s/%s", base, set->name);
    snprintf(npz, sizeof npz, "%s/%s.npz", base, set->name);
    *found = n > 0 && (size_t)n < sizeof folder;
    if (*found && find_pair(folder, test ? "t10k" : "train", images, labels))
        return qs_idx_open(images, labels, store, out, err);
    if (*found && qs_file_exists(npz))
        return qs_npz_open(npz, test ? "x_test,y_test" : "x_train,y_train", store, out, err);
    *found = false;
    return QS_OK;
}

static qs_status absent(const qs_named_set *set, const places *all, qs_error *err)
{
    char looked[300] = "";
    for (int i = 0, at = 0; i < all->count && (size_t)at < sizeof looked; i++)
        at += snprintf(looked + at, sizeof looked - (size_t)at, "%s%s", i ? ", " : "",
                       all->folder[i]);
    return qs_fail(err, QS_E_MISSING, "the data set %s is not in %s; %s", set->name, looked,
                   set->provider);
}

qs_status qs_named_open(const qs_named_set *set, const char *spec, qs_store *store, qs_parts *out,
                        qs_error *err)
{
    bool test, found = false;
    QS_TRY(qs_named_part(set->name, spec, &test, err));
    places all;
    search_order(&all);
    for (int i = 0; i < all.count && !found; i++)
        QS_TRY(open_in(set, all.folder[i], test, store, out, &found, err));
    if (!found)
        return absent(set, &all, err);

    out->class_name = set->class_name;
    out->classes = set->class_name ? set->classes : 0;
    if (!test) {
        char name[64];
        const int n = snprintf(name, sizeof name, "%s:test", set->name);
        out->test = qs_spec_copy(&store->arena, name, (size_t)n);
    }
    return QS_OK;
}
