/* SPDX-License-Identifier: MIT */
/* weight_file.c - what a file of weights holds, without a model. */
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "format/format.h"

enum { MOST = 1 << 20 };

qs_status qs_weight_file_add(qs_weight_file *file, const char *name, const qs_shape *shape,
                             qs_error *err)
{
    if (file->count == MOST)
        return qs_fail(err, QS_E_FORMAT, "more than %d weights", (int)MOST);
    if (file->count == file->room) {
        const size_t room = file->room ? 2 * file->room : 16;
        qs_weight_info *bigger = qs_realloc(file->weight, room * sizeof *bigger);
        if (!bigger)
            return qs_fail_memory(err, (double)(room * sizeof *bigger), "a list of weights");
        file->weight = bigger;
        file->room = room;
    }
    qs_weight_info *weight = &file->weight[file->count];
    *weight = (qs_weight_info){.name = qs_arena_text(&file->arena, name), .rank = shape->rank};
    memcpy(weight->shape, shape->dim, sizeof weight->shape);
    if (!weight->name)
        return qs_fail_memory(err, (double)strlen(name), "a name");
    file->count++;
    return QS_OK;
}

static qs_status list(const char *path, const qs_file_format *format, qs_weight_file *out,
                      qs_error *err)
{
    const unsigned char *bytes;
    size_t n;
    QS_TRY(qs_file_map(path, &bytes, &n, err));
    qs_status status = format->list(bytes, n, out, err);
    if (status == QS_OK && !out->count)
        status = qs_fail(err, QS_E_FORMAT, "the file holds no weights");
    qs_file_unmap(bytes, n);
    return qs_context(err, status, "%s", path);
}

qs_status qs_weight_file_open(const char *path, qs_weight_file **out, qs_error *err)
{
    const qs_file_format *format = qs_file_format_of(path);
    if (!format || !format->list)
        return qs_fail(err, QS_E_ARG, "%s: the ending names no file of weights alone", path);
    qs_weight_file *file = qs_calloc(1, sizeof *file);
    if (!file)
        return qs_fail_memory(err, sizeof *file, "a list of weights");
    file->format = format->name;
    const qs_status status = list(path, format, file, err);
    if (status != QS_OK)
        qs_weight_file_close(file);
    else
        *out = file;
    return status;
}

const char *qs_weight_file_format(const qs_weight_file *file)
{
    return file->format;
}

size_t qs_weight_file_count(const qs_weight_file *file)
{
    return file->count;
}

qs_status qs_weight_file_entry(const qs_weight_file *file, size_t index, qs_weight_info *out,
                               qs_error *err)
{
    if (index >= file->count)
        return qs_fail(err, QS_E_ARG, "there is no weight %zu, the file has %zu", index,
                       file->count);
    *out = file->weight[index];
    return QS_OK;
}

void qs_weight_file_close(qs_weight_file *file)
{
    if (!file)
        return;
    qs_free(file->weight);
    qs_arena_free(&file->arena);
    qs_free(file);
}
