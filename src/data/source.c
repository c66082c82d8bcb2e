/* SPDX-License-Identifier: MIT */
/* source.c - the list of sources, and who takes a spec. */
#include "data/source.h"

#include <string.h>

#include "base/file.h"
#include "quickstep/status.h"

#define QS_SOURCE(name) extern const qs_source_kind qs_source_##name;
#include "data/sources.def"
#undef QS_SOURCE

const qs_source_kind *const qs_source_kinds[] = {
#define QS_SOURCE(name) &qs_source_##name,
#include "data/sources.def"
#undef QS_SOURCE
    NULL,
};

/* A name rather than a path: it may be a slip for a named set. */
static qs_status unknown_name(const char *spec, qs_error *err)
{
    static const char *const names[] = {"fashion-mnist", "mnist", "digits", "synthetic", NULL};
    char near[128];
    return qs_fail(err, QS_E_MISSING,
                   "no data set or file '%s'%s; besides these, FILE.npz, X.npy,Y.npy, FILE.csv, "
                   "FILE.h5:X,Y, IDX pairs and folders of images are read",
                   spec, qs_nearest(spec, names, near, sizeof near));
}

qs_status qs_source_find(const char *spec, const qs_source_kind **out, qs_error *err)
{
    for (size_t i = 0; qs_source_kinds[i]; i++)
        if (qs_source_kinds[i]->match(spec)) {
            *out = qs_source_kinds[i];
            return QS_OK;
        }
    if (qs_file_exists(spec))
        return qs_fail(err, QS_E_UNSUPPORTED,
                       "%s: cannot tell what this file holds; .npz, .npy, .csv, .h5, IDX and "
                       "folders of images are read",
                       spec);
    if (strpbrk(spec, "/."))
        return qs_fail(err, QS_E_MISSING, "%s: no such file or folder; check the path", spec);
    return unknown_name(spec, err);
}
