/* SPDX-License-Identifier: MIT */
/* npz.c - arrays of a NumPy archive. */
#include "data/npz.h"

#include "data/spec_text.h"

static bool match(const char *spec)
{
    const char *keys;
    return qs_spec_file(spec, ".npz", &keys) > 0;
}

static qs_status open_file(const char *spec, qs_store *store, qs_parts *out, qs_error *err)
{
    const char *keys;
    const size_t n = qs_spec_file(spec, ".npz", &keys);
    const char *const path = qs_spec_copy(&store->arena, spec, n);
    return path ? qs_npz_open(path, keys, store, out, err)
                : qs_fail_memory(err, (double)n, "a data spec");
}

const qs_source_kind qs_source_npz = {
    .name = "npz",
    .form = "FILE.npz[:X,Y[,W]]",
    .help = "arrays of a NumPy archive; x/y, x_train/y_train or data/target where not named",
    .match = match,
    .open = open_file,
};
