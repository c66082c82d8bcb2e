/* SPDX-License-Identifier: MIT */
/* hdf5_list.c - the weights that an HDF5 file holds, in any layout. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "format/hdf5_model.h"

enum { PATH = 512, NAME = 256, DEEPEST = 12 };

static qs_status list_group(const qs_hdf5 *file, const char *group, int depth, qs_weight_file *out,
                            qs_error *err);

static qs_status list_member(const qs_hdf5 *file, const char *path, int depth, qs_weight_file *out,
                             qs_error *err)
{
    qs_shape shape;
    if (qs_hdf5_shape(file, path, &shape))
        return qs_weight_file_add(out, path + 1, &shape, err);
    return list_group(file, path, depth + 1, out, err);
}

static qs_status list_group(const qs_hdf5 *file, const char *group, int depth, qs_weight_file *out,
                            qs_error *err)
{
    const size_t n = qs_hdf5_members(file, *group ? group : "/");
    if (depth > DEEPEST)
        return qs_fail(err, QS_E_FORMAT, "groups are nested deeper than %d", (int)DEEPEST);
    for (size_t i = 0; i < n; i++) {
        char path[PATH], name[NAME];
        qs_hdf5_member(file, *group ? group : "/", i, name);
        if (!depth && !strncmp(name, "optimizer", 9))
            continue;
        const int length = snprintf(path, sizeof path, "%s/%s", group, name);
        if (*name && length < PATH)
            QS_TRY(list_member(file, path, depth, out, err));
    }
    return QS_OK;
}

qs_status qs_hdf5_list(const unsigned char *bytes, size_t n, qs_weight_file *out, qs_error *err)
{
    qs_hdf5 file;
    char *config = NULL;
    QS_TRY(qs_hdf5_open(bytes, n, &file, err));
    qs_status status = qs_hdf5_text(&file, "/", "model_config", &config, err);
    if (status == QS_OK && config)
        status = qs_fail(err, QS_E_FORMAT, "the file holds a whole model, not weights alone");
    if (status == QS_OK)
        status = list_group(&file, "", 0, out, err);
    qs_free(config);
    qs_hdf5_close(&file);
    return status;
}
