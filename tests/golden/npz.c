/* SPDX-License-Identifier: MIT */
/* npz.c - read .npz: a zip archive of little-endian, C-ordered .npy version 1. */
#include "npz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

enum { PREFIX = 10 }; /* magic, version, length of the header */

static bool type_of(const char *header, qs_dtype *out)
{
    static const struct {
        const char *text;
        qs_dtype type;
    } types[] = {{"'<f4'", QS_F32}, {"'<f8'", QS_F64}, {"'<i4'", QS_I32}, {"'<i8'", QS_I64}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strstr(header, types[i].text)) {
            *out = types[i].type;
            return true;
        }
    }
    return false;
}

/* "(36, 7)" in the header → dim, rank and count. */
static bool parse_shape(const char *header, array *out)
{
    const char *at = strchr(header, '(');
    if (!at)
        return false;
    out->count = 1;
    for (at++; *at != ')'; at += strspn(at, ", ")) {
        char *end;
        const size_t dim = strtoul(at, &end, 10);
        if (end == at || out->view.rank == QS_MAX_RANK)
            return false;
        out->view.dim[out->view.rank++] = dim;
        out->count *= dim;
        at = end;
    }
    return true;
}

/* A whole .npy → array with a copy of its data. */
static bool parse(const unsigned char *bytes, size_t n, array *out)
{
    char header[1024];
    if (n < PREFIX || memcmp(bytes, "\x93NUMPY\x01", 7) != 0)
        return false;
    const size_t length = bytes[8] + 256u * bytes[9];
    if (length >= sizeof header || PREFIX + length > n)
        return false;
    memcpy(header, bytes + PREFIX, length);
    header[length] = '\0';
    if (strstr(header, "'fortran_order': True") || !type_of(header, &out->view.dtype) ||
        !parse_shape(header, out))
        return false;
    const size_t size = out->count * qs_dtype_bytes(out->view.dtype);
    void *data = malloc(size + 1);
    if (!data || PREFIX + length + size > n) {
        free(data);
        return false;
    }
    memcpy(data, bytes + PREFIX + length, size);
    out->view.data = data;
    return true;
}

static bool read_member(zip_t *zip, size_t index, array *out)
{
    zip_stat_t stat;
    if (zip_stat_index(zip, index, 0, &stat) != 0)
        return false;
    const size_t length = strlen(stat.name);
    snprintf(out->name, sizeof out->name, "%.*s", (int)(length > 4 ? length - 4 : 0), stat.name);
    zip_file_t *file = zip_fopen_index(zip, index, 0);
    unsigned char *bytes = malloc(stat.size + 1);
    const bool ok = file && bytes && zip_fread(file, bytes, stat.size) == (zip_int64_t)stat.size &&
                    parse(bytes, stat.size, out);
    free(bytes);
    if (file)
        zip_fclose(file);
    return ok;
}

bool npz_read(const char *path, npz *out)
{
    zip_t *zip = zip_open(path, ZIP_RDONLY, NULL);
    if (!zip)
        return false;
    const size_t count = (size_t)zip_get_num_entries(zip, 0);
    *out = (npz){.item = calloc(count + 1, sizeof *out->item)};
    while (out->item && out->count < count && read_member(zip, out->count, &out->item[out->count]))
        out->count++;
    zip_close(zip);
    return out->count == count;
}

const array *npz_find(const npz *archive, const char *name)
{
    for (size_t i = 0; i < archive->count; i++)
        if (strcmp(archive->item[i].name, name) == 0)
            return &archive->item[i];
    return NULL;
}

double array_at(const array *a, size_t i)
{
    switch (a->view.dtype) {
    case QS_F32:
        return ((const float *)a->view.data)[i];
    case QS_F64:
        return ((const double *)a->view.data)[i];
    case QS_I32:
        return ((const int32_t *)a->view.data)[i];
    default:
        return (double)((const int64_t *)a->view.data)[i];
    }
}

void npz_free(npz *archive)
{
    for (size_t i = 0; i < archive->count; i++)
        free((void *)archive->item[i].view.data);
    free(archive->item);
    *archive = (npz){0};
}
