/* SPDX-License-Identifier: MIT */
/* hdf5.c - data sets of an HDF5 file. */
#include "data/h5.h"
#include "data/spec_text.h"

static size_t file_part(const char *spec, const char **keys)
{
    static const char *const ends[] = {".h5", ".hdf5"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t n = qs_spec_file(spec, ends[i], keys);
        if (n > 0)
            return n;
    }
    return 0;
}

static bool match(const char *spec)
{
    const char *keys;
    return file_part(spec, &keys) > 0;
}

static qs_status open_file(const char *spec, qs_store *store, qs_parts *out, qs_error *err)
{
    const char *keys;
    const size_t n = file_part(spec, &keys);
    const char *const path = qs_spec_copy(&store->arena, spec, n);
    return path ? qs_h5_open(path, keys, store, out, err)
                : qs_fail_memory(err, (double)n, "a data spec");
}

const qs_source_kind qs_source_hdf5 = {
    .name = "hdf5",
    .form = "FILE.h5:X,Y[,W]",
    .help = "data sets of an HDF5 file; x/y, x_train/y_train or data/target where not named",
    .match = match,
    .open = open_file,
};
