/* SPDX-License-Identifier: MIT */
/* npy.c - one NumPy file for samples, one for labels, one for weights; used where they are. */
#include <string.h>

#include "data/array.h"
#include "data/source.h"
#include "data/spec_text.h"

static bool ends_in_npy(const char *text, size_t n)
{
    return n > 4 && strncasecmp(text + n - 4, ".npy", 4) == 0;
}

static bool match(const char *spec)
{
    return ends_in_npy(spec, strlen(spec)) || ends_in_npy(spec, strcspn(spec, ","));
}

static qs_status read_one(const char *path, qs_store *store, qs_array *out, qs_error *err)
{
    const unsigned char *bytes;
    size_t n;
    QS_TRY(qs_store_map(store, path, &bytes, &n, err));
    return qs_context(err, qs_array_npy(bytes, n, store, out, err), "%s", path);
}

static qs_status open_files(const char *spec, qs_store *store, qs_parts *out, qs_error *err)
{
    qs_array *const to[] = {&out->x, &out->y, &out->w};
    const char *path[3] = {NULL};
    size_t count = 0;
    QS_TRY(qs_spec_paths(&store->arena, spec, path, &count, err));
    for (size_t i = 0; i < 3 && path[i]; i++)
        QS_TRY(read_one(path[i], store, to[i], err));
    return QS_OK;
}

const qs_source_kind qs_source_npy = {
    .name = "npy",
    .form = "X.npy[,Y.npy[,W.npy]]",
    .help = "NumPy files of samples, labels and sample weights",
    .match = match,
    .open = open_files,
};
