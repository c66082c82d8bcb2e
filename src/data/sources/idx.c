/* SPDX-License-Identifier: MIT */
/* idx.c - a pair of IDX files, packed by gzip or not; also whatever else is a file: the last kind. */
#include "data/idx.h"

#include <string.h>

#include "base/file.h"
#include "data/spec_text.h"

/* Content, not the ending, tells IDX: the well-known files have none. */
static bool looks_like_idx(const char *path)
{
    const unsigned char *bytes;
    size_t n;
    if (qs_file_map(path, &bytes, &n, NULL) != QS_OK)
        return false;
    const bool idx = n >= 4 && bytes[0] == 0 && bytes[1] == 0;
    const bool gzip = n >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
    qs_file_unmap(bytes, n);
    return idx || gzip;
}

static bool match(const char *spec)
{
    return qs_file_exists(spec) ? !qs_file_is_folder(spec) && looks_like_idx(spec)
                                : strchr(spec, ',') != NULL;
}

static qs_status open_pair(const char *spec, qs_store *store, qs_parts *out, qs_error *err)
{
    const char *path[3] = {NULL};
    size_t count = 0;
    QS_TRY(qs_spec_paths(&store->arena, spec, path, &count, err));
    if (count > 2)
        return qs_fail(err, QS_E_ARG, "'%s' names %zu files; IDX sets are IMAGES,LABELS", spec,
                       count);
    return qs_idx_open(path[0], count == 2 ? path[1] : NULL, store, out, err);
}

const qs_source_kind qs_source_idx = {
    .name = "idx",
    .form = "IMAGES,LABELS",
    .help = "IDX files as MNIST has them, .gz or not",
    .match = match,
    .open = open_pair,
};
