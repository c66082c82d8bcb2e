/* SPDX-License-Identifier: MIT */
/* hdf5_read.c - data sets and attributes of an HDF5 file in memory. */
#include <string.h>

#include "base/alloc.h"
#include "base/hdf5_chunks.h"
#include "base/hdf5_lock.h"
#include "base/memory.h"
#include "format/hdf5_file.h"

enum { PATH_BYTES = 512, CORE_STEP = 1 << 16, MOST_TEXTS = 1 << 20, MOST_CHUNKS = 1 << 12 };

static void silence(qs_hdf5 *file)
{
    qs_hdf5_lock();
    H5Eget_auto2(H5E_DEFAULT, &file->report, &file->report_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void qs_hdf5_close(qs_hdf5 *file)
{
    if (file->file >= 0)
        H5Fclose(file->file);
    file->file = -1;
    H5Eset_auto2(H5E_DEFAULT, file->report, file->report_data);
    qs_hdf5_unlock();
}

qs_status qs_hdf5_open(const unsigned char *bytes, size_t n, qs_hdf5 *out, qs_error *err)
{
    static const char magic[] = "\211HDF\r\n\032\n";
    if (n < 8 || memcmp(bytes, magic, 8))
        return qs_fail(err, QS_E_FORMAT, "not an HDF5 file: it does not begin with its mark");
    QS_TRY(qs_memory_check(2.0 * (double)n, "reading an HDF5 file", err));
    QS_TRY(qs_hdf5_heaps_check(bytes, n, err));
    qs_hdf5 file = {.file = -1};
    silence(&file);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, CORE_STEP, 0);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    H5Pset_file_image(access, (void *)bytes, n); /* copied */
    file.file = H5Fopen("memory", H5F_ACC_RDONLY, access);
    H5Pclose(access);
    if (file.file < 0) {
        qs_hdf5_close(&file);
        return qs_fail(err, QS_E_FORMAT, "malformed HDF5 file of %zu bytes: truncated or damaged",
                       n);
    }
    *out = file;
    return QS_OK;
}

static bool hard_link(const qs_hdf5 *file, const char *path)
{
    H5L_info_t info;
    return H5Lget_info(file->file, path, &info, H5P_DEFAULT) >= 0 && info.type == H5L_TYPE_HARD;
}

/* Every part of the path is looked at, so that no soft or external link is followed. */
bool qs_hdf5_has(const qs_hdf5 *file, const char *path)
{
    char part[PATH_BYTES];
    const size_t n = strlen(path);
    if (n >= sizeof part || *path != '/')
        return false;
    for (size_t i = 1; i <= n && n > 1; i++) {
        if (path[i] != '/' && path[i])
            continue;
        memcpy(part, path, i);
        part[i] = 0;
        if (!hard_link(file, part))
            return false;
    }
    return true;
}

static hid_t open_object(const qs_hdf5 *file, const char *path, H5I_type_t type)
{
    const hid_t id = qs_hdf5_has(file, path) ? H5Oopen(file->file, path, H5P_DEFAULT) : -1;
    if (id >= 0 && H5Iget_type(id) != type) {
        H5Oclose(id);
        return -1;
    }
    return id;
}

size_t qs_hdf5_members(const qs_hdf5 *file, const char *path)
{
    const hid_t group = open_object(file, path, H5I_GROUP);
    H5G_info_t info = {0};
    if (group < 0)
        return 0;
    const herr_t fine = H5Gget_info(group, &info);
    H5Oclose(group);
    return fine < 0 ? 0 : (size_t)info.nlinks;
}

const char *qs_hdf5_member(const qs_hdf5 *file, const char *path, size_t index, char name[256])
{
    const ssize_t n = H5Lget_name_by_idx(file->file, path, H5_INDEX_NAME, H5_ITER_INC, index, name,
                                         256, H5P_DEFAULT);
    if (n <= 0 || n >= 256)
        *name = 0;
    return name;
}

static qs_status check_type(hid_t set, const char *path, qs_error *err)
{
    const hid_t type = H5Dget_type(set);
    const H5T_class_t kind = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
    const size_t size = type >= 0 ? H5Tget_size(type) : 0;
    if (type >= 0)
        H5Tclose(type);
    if ((kind != H5T_FLOAT && kind != H5T_INTEGER) || size > 16)
        return qs_fail(err, QS_E_FORMAT, "%s holds no numbers", path);
    return QS_OK;
}

/* False where it has more axes than an array here may have. */
static bool shape_of(hid_t set, qs_shape *out)
{
    hsize_t dim[H5S_MAX_RANK] = {0};
    const hid_t space = H5Dget_space(set);
    const int rank = space >= 0 ? H5Sget_simple_extent_dims(space, dim, NULL) : -1;
    if (space >= 0)
        H5Sclose(space);
    *out = (qs_shape){.rank = rank > QS_MAX_RANK ? QS_MAX_RANK : rank};
    for (int i = 0; i < out->rank; i++)
        out->dim[i] = (size_t)dim[i];
    return rank >= 0 && rank <= QS_MAX_RANK;
}

static qs_status check_shape(hid_t set, const char *path, const qs_shape *shape, qs_error *err)
{
    qs_shape got;
    if (shape_of(set, &got) && qs_shape_same(&got, shape))
        return QS_OK;
    char have[QS_SHAPE_TEXT], want[QS_SHAPE_TEXT];
    return qs_fail(err, QS_E_SHAPE, "%s is %s in the file, the model needs %s", path,
                   qs_shape_text(&got, have), qs_shape_text(shape, want));
}

bool qs_hdf5_shape(const qs_hdf5 *file, const char *path, qs_shape *out)
{
    const hid_t set = open_object(file, path, H5I_DATASET);
    const bool fine = set >= 0 && check_type(set, path, NULL) == QS_OK && shape_of(set, out);
    if (set >= 0)
        H5Oclose(set);
    return fine;
}

/* Numbers that the file does not hold would be read as zeros, or from another file. */
static qs_status check_storage(hid_t set, const char *path, size_t count, qs_error *err)
{
    const hid_t plan = H5Dget_create_plist(set);
    const H5D_layout_t layout = plan >= 0 ? H5Pget_layout(plan) : H5D_LAYOUT_ERROR;
    const int external = plan >= 0 ? H5Pget_external_count(plan) : -1;
    if (plan >= 0)
        H5Pclose(plan);
    if (external != 0 ||
        (layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED && layout != H5D_COMPACT))
        return qs_fail(err, QS_E_FORMAT, "%s keeps its numbers outside the file", path);
    if (count && !H5Dget_storage_size(set))
        return qs_fail(err, QS_E_FORMAT, "%s holds none of its %zu numbers", path, count);
    return QS_OK;
}

static qs_status read_as(const qs_hdf5 *file, const char *path, const qs_shape *shape, hid_t type,
                         void *out, qs_error *err)
{
    const hid_t set = open_object(file, path, H5I_DATASET);
    if (set < 0)
        return qs_fail(err, QS_E_FORMAT, "there is no data set %s", path);
    qs_status status = check_type(set, path, err);
    if (status == QS_OK)
        status = check_shape(set, path, shape, err);
    if (status == QS_OK)
        status = check_storage(set, path, qs_shape_count(shape), err);
    if (status == QS_OK)
        status = qs_context(err, qs_hdf5_chunks_check(set, err), "%s", path);
    if (status == QS_OK && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0)
        status = qs_fail(err, QS_E_FORMAT, "%s cannot be read: the file is damaged", path);
    H5Oclose(set);
    return status;
}

qs_status qs_hdf5_read(const qs_hdf5 *file, const char *path, const qs_shape *shape, float *out,
                       qs_error *err)
{
    return read_as(file, path, shape, H5T_NATIVE_FLOAT, out, err);
}

qs_status qs_hdf5_read_number(const qs_hdf5 *file, const char *path, double *out, qs_error *err)
{
    return read_as(file, path, &(qs_shape){0}, H5T_NATIVE_DOUBLE, out, err);
}

static hid_t open_attribute(const qs_hdf5 *file, const char *path, const char *name)
{
    if (!qs_hdf5_has(file, path) || H5Aexists_by_name(file->file, path, name, H5P_DEFAULT) <= 0)
        return -1;
    return H5Aopen_by_name(file->file, path, name, H5P_DEFAULT, H5P_DEFAULT);
}

/* Copy `count` texts of fixed length `size` each, not always ended by a 0. */
static qs_status read_fixed(hid_t attribute, hid_t type, char **text, size_t count, qs_error *err)
{
    const size_t size = H5Tget_size(type);
    if (!size || size > SIZE_MAX / 2 / count)
        return qs_fail(err, QS_E_FORMAT, "malformed text attribute");
    char *all = qs_malloc(size * count);
    if (!all)
        return qs_fail_memory(err, (double)(size * count), "an attribute");
    qs_status status = QS_OK;
    if (H5Aread(attribute, type, all) < 0)
        status = qs_fail(err, QS_E_FORMAT, "damaged text attribute");
    for (size_t i = 0; i < count && status == QS_OK; i++) {
        text[i] = qs_strndup(all + i * size, strnlen(all + i * size, size));
        if (!text[i])
            status = qs_fail_memory(err, (double)size, "an attribute");
    }
    qs_free(all);
    return status;
}

static qs_status read_variable(hid_t attribute, hid_t type, char **text, size_t count,
                               qs_error *err)
{
    char **all = qs_calloc(count, sizeof *all);
    if (!all)
        return qs_fail_memory(err, (double)count * sizeof *all, "an attribute");
    qs_status status = QS_OK;
    const bool read = H5Aread(attribute, type, all) >= 0;
    if (!read)
        status = qs_fail(err, QS_E_FORMAT, "damaged text attribute");
    for (size_t i = 0; i < count && status == QS_OK; i++) {
        text[i] = qs_strdup(all[i] ? all[i] : "");
        if (!text[i])
            status = qs_fail_memory(err, 64, "an attribute");
    }
    for (size_t i = 0; read && i < count; i++)
        H5free_memory(all[i]);
    qs_free(all);
    return status;
}

static qs_status append_texts(hid_t attribute, size_t count, qs_hdf5_texts *out, qs_error *err)
{
    char **more = qs_realloc(out->text, (out->count + count) * sizeof *more);
    if (!more)
        return qs_fail_memory(err, (double)count * sizeof *more, "an attribute");
    out->text = more;
    memset(more + out->count, 0, count * sizeof *more);
    char **text = more + out->count;
    out->count += count;

    const hid_t type = H5Aget_type(attribute);
    qs_status status;
    if (type < 0 || H5Tget_class(type) != H5T_STRING)
        status = qs_fail(err, QS_E_FORMAT, "an attribute that must be text is not");
    else if (H5Tis_variable_str(type) > 0)
        status = read_variable(attribute, type, text, count, err);
    else
        status = read_fixed(attribute, type, text, count, err);
    if (type >= 0)
        H5Tclose(type);
    return status;
}

static qs_status read_texts(const qs_hdf5 *file, const char *path, const char *name, bool *there,
                            qs_hdf5_texts *out, qs_error *err)
{
    const hid_t attribute = open_attribute(file, path, name);
    *there = attribute >= 0;
    if (!*there)
        return QS_OK;
    const hid_t space = H5Aget_space(attribute);
    const hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    if (space >= 0)
        H5Sclose(space);
    qs_status status = QS_OK;
    if (count < 0 || count > MOST_TEXTS)
        status = qs_fail(err, QS_E_FORMAT, "has %lld texts", (long long)count);
    else if (count)
        status = append_texts(attribute, (size_t)count, out, err);
    H5Aclose(attribute);
    return qs_context(err, status, "attribute %s of %s", name, path);
}

void qs_hdf5_texts_free(qs_hdf5_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        qs_free(texts->text[i]);
    qs_free(texts->text);
    *texts = (qs_hdf5_texts){0};
}

static qs_status read_chunks(const qs_hdf5 *file, const char *path, const char *name,
                             qs_hdf5_texts *out, qs_error *err)
{
    bool there = true;
    for (int i = 0; there && i < MOST_CHUNKS; i++) {
        char *chunk = qs_format("%s%d", name, i);
        if (!chunk)
            return qs_fail_memory(err, PATH_BYTES, "an attribute");
        const qs_status status = read_texts(file, path, chunk, &there, out, err);
        qs_free(chunk);
        QS_TRY(status);
    }
    return QS_OK;
}

qs_status qs_hdf5_texts_read(const qs_hdf5 *file, const char *path, const char *name,
                             qs_hdf5_texts *out, qs_error *err)
{
    qs_hdf5_texts texts = {0};
    bool there;
    qs_status status = read_texts(file, path, name, &there, &texts, err);
    if (status == QS_OK && !there)
        status = read_chunks(file, path, name, &texts, err);
    if (status != QS_OK) {
        qs_hdf5_texts_free(&texts);
        return status;
    }
    *out = texts;
    return QS_OK;
}

qs_status qs_hdf5_text(const qs_hdf5 *file, const char *path, const char *name, char **out,
                       qs_error *err)
{
    qs_hdf5_texts texts = {0};
    bool there;
    const qs_status status = read_texts(file, path, name, &there, &texts, err);
    if (status == QS_OK) {
        *out = texts.count ? texts.text[0] : NULL;
        if (texts.count)
            texts.text[0] = NULL;
    }
    qs_hdf5_texts_free(&texts);
    return status;
}
