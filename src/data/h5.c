/* SPDX-License-Identifier: MIT */
/* h5.c - finds data sets in an HDF5 file, distrusts what it says of them, reads them. */
#include "data/h5.h"

#include <hdf5.h>
#include <string.h>

#include "base/file.h"
#include "base/hdf5_chunks.h"
#include "base/hdf5_lock.h"
#include "data/array.h"
#include "data/h5_heap.h"
#include "data/keys.h"
#include "data/spec_text.h"

enum {
    MOST_NAMES = 10000,
    MOST_RATIO = 1032 /* of deflate */,
    MOST_CHUNK = 1 << 28,
    PATH_BYTES = 512
};

/* ---- names ---- */

typedef struct listing {
    qs_arena *arena;
    const char *name[MOST_NAMES + 1];
    size_t count;
} listing;

/* Every part of the path must be a hard link: others lead to other places and files. */
static bool is_there(hid_t file, const char *path)
{
    char part[PATH_BYTES];
    const size_t n = strlen(path);
    if (n >= sizeof part)
        return false;
    for (size_t i = 1; i <= n; i++) {
        H5L_info_t info;
        if (path[i] && path[i] != '/')
            continue;
        memcpy(part, path, i);
        part[i] = 0;
        if (H5Lget_info(file, part, &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD)
            return false;
    }
    return n > 0;
}

static herr_t note_name(hid_t group, const char *name, const H5L_info_t *info, void *self)
{
    listing *const all = self;
    (void)group;
    if (info->type != H5L_TYPE_HARD)
        return 0;
    if (all->count == MOST_NAMES)
        return 1;
    all->name[all->count] = qs_spec_copy(all->arena, name, strlen(name));
    return all->name[all->count] ? (all->count++, 0) : -1;
}

/* For a message only. Groups of the newer kinds are left out: the library frees what it never
 * had when the list of such a group is damaged. */
static void list_all(hid_t file, listing *all)
{
    H5G_info_t info;
    if (H5Gget_info(file, &info) >= 0 && info.storage_type == H5G_STORAGE_TYPE_SYMBOL_TABLE)
        H5Literate(file, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, note_name, all);
}

/* Those of `names` that are there. */
static void probe(hid_t file, const char *const *names, listing *all)
{
    for (; *names; names++)
        if (is_there(file, *names))
            all->name[all->count++] = *names;
}

static qs_status find_keys(hid_t file, const char *wanted, qs_arena *arena, qs_keys *out,
                           qs_error *err)
{
    const char *word[4] = {NULL};
    size_t count;
    listing *const all = QS_NEW(arena, listing);
    if (!all)
        return qs_fail_memory(err, sizeof *all, "the names in an HDF5 file");
    all->arena = arena;
    if (*wanted)
        QS_TRY(qs_spec_words(arena, wanted, 3, word, &count, err));
    probe(file, *wanted ? word : qs_keys_known, all);
    if (qs_keys_find(arena, wanted, all->name, out, NULL) == QS_OK)
        return QS_OK;
    memset(all->name, 0, sizeof all->name);
    all->count = 0;
    list_all(file, all);
    return qs_keys_find(arena, wanted, all->name, out, err);
}

/* ---- one data set ---- */

/* *bytes: of an element in the file. */
static qs_status read_type(hid_t set, qs_dtype *out, size_t *bytes, qs_error *err)
{
    static const struct {
        size_t size;
        qs_dtype with_sign, without_sign, real;
    } types[] = {{1, QS_I8, QS_U8, QS_F32},
                 {2, QS_I16, QS_U16, QS_F32},
                 {4, QS_I32, QS_U32, QS_F32},
                 {8, QS_I64, QS_I64, QS_F64}};
    const hid_t type = H5Dget_type(set);
    const H5T_class_t kind = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
    const size_t size = type >= 0 ? H5Tget_size(type) : 0;
    const bool sign = kind == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_2;
    if (type >= 0)
        H5Tclose(type);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].size == size && (kind == H5T_INTEGER || kind == H5T_FLOAT)) {
            *bytes = size;
            *out = kind == H5T_FLOAT ? types[i].real
                   : sign            ? types[i].with_sign
                                     : types[i].without_sign;
            return QS_OK;
        }
    return qs_fail(err, QS_E_UNSUPPORTED,
                   "its elements are no plain integers or floats of 1, 2, 4 or 8 bytes");
}

static hid_t native(qs_dtype dtype)
{
    switch (dtype) {
    case QS_F64:
        return H5T_NATIVE_DOUBLE;
    case QS_U8:
        return H5T_NATIVE_UINT8;
    case QS_I8:
        return H5T_NATIVE_INT8;
    case QS_I16:
        return H5T_NATIVE_INT16;
    case QS_U16:
        return H5T_NATIVE_UINT16;
    case QS_I32:
        return H5T_NATIVE_INT32;
    case QS_U32:
        return H5T_NATIVE_UINT32;
    case QS_I64:
        return H5T_NATIVE_INT64;
    case QS_F32:
        break;
    }
    return H5T_NATIVE_FLOAT;
}

static qs_status read_shape(hid_t set, qs_array *out, qs_error *err)
{
    hsize_t dim[H5S_MAX_RANK] = {0};
    const hid_t space = H5Dget_space(set);
    const int rank = space >= 0 ? H5Sget_simple_extent_dims(space, dim, NULL) : -1;
    if (space >= 0)
        H5Sclose(space);
    if (rank < 1 || rank > QS_MAX_RANK)
        return qs_fail(err, QS_E_FORMAT, "it has %d axes; 1 to %d can be used", rank, QS_MAX_RANK);
    out->rank = rank;
    for (int i = 0; i < rank; i++)
        out->dim[i] = (size_t)dim[i];
    return QS_OK;
}

static size_t chunk_bytes(hid_t plan, size_t element)
{
    hsize_t dim[H5S_MAX_RANK] = {0};
    const int rank = H5Pget_chunk(plan, H5S_MAX_RANK, dim);
    size_t n = element;
    for (int i = 0; i < rank; i++)
        n = dim[i] && n > SIZE_MAX / dim[i] ? SIZE_MAX : n * (size_t)dim[i];
    return n;
}

/* Elements that the file does not hold would be invented, or come out of another file. */
static qs_status check_storage(hid_t set, size_t count, size_t size, qs_error *err)
{
    const hid_t plan = H5Dget_create_plist(set);
    if (plan < 0)
        return qs_fail(err, QS_E_FORMAT, "its description is damaged");
    const H5D_layout_t layout = H5Pget_layout(plan);
    const bool outside = H5Pget_external_count(plan) != 0;
    const size_t stored = (size_t)H5Dget_storage_size(set);
    const size_t chunk = layout == H5D_CHUNKED ? chunk_bytes(plan, size) : 0;
    H5Pclose(plan);
    if (outside || (layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED && layout != H5D_COMPACT))
        return qs_fail(err, QS_E_UNSUPPORTED, "it keeps its numbers in other files");
    if (chunk > MOST_CHUNK)
        return qs_fail(err, QS_E_UNSUPPORTED, "its chunks have %zu bytes, at most %d can be read",
                       chunk, MOST_CHUNK);
    const size_t possible = layout == H5D_CHUNKED && stored < SIZE_MAX / MOST_RATIO
                                ? (stored + 64) * MOST_RATIO
                                : stored;
    if (count > possible / size)
        return qs_fail(err, QS_E_FORMAT, "%zu bytes are stored, too few for %zu elements", stored,
                       count);
    return QS_OK;
}

static qs_status read_set(hid_t set, qs_store *store, qs_array *out, qs_error *err)
{
    qs_array array = {0};
    size_t bytes = 0;
    void *block;
    QS_TRY(read_type(set, &array.dtype, &bytes, err));
    QS_TRY(read_shape(set, &array, err));
    QS_TRY(check_storage(set, qs_array_count(&array), bytes, err));
    QS_TRY(qs_hdf5_chunks_check(set, err));
    QS_TRY(qs_store_block(store, qs_array_count(&array), qs_dtype_bytes(array.dtype),
                          "an HDF5 data set", &block, err));
    if (H5Dread(set, native(array.dtype), H5S_ALL, H5S_ALL, H5P_DEFAULT, block) < 0)
        return qs_fail(err, QS_E_FORMAT, "its numbers cannot be read: the file is damaged");
    array.data = block;
    *out = array;
    return QS_OK;
}

static qs_status read_named(hid_t file, const char *name, qs_store *store, qs_array *out,
                            qs_error *err)
{
    if (!name)
        return QS_OK;
    const hid_t set = H5Oopen(file, name, H5P_DEFAULT);
    const bool good = set >= 0 && H5Iget_type(set) == H5I_DATASET;
    const qs_status status =
        good ? read_set(set, store, out, err) : qs_fail(err, QS_E_FORMAT, "it is no data set");
    if (set >= 0)
        H5Oclose(set);
    return qs_context(err, status, "'%s'", name);
}

/* ---- whole files ---- */

static qs_status read_file(hid_t file, const char *wanted, qs_store *store, qs_parts *out,
                           qs_error *err)
{
    qs_keys keys = {0};
    QS_TRY(find_keys(file, wanted, &store->arena, &keys, err));
    QS_TRY(read_named(file, keys.x, store, &out->x, err));
    QS_TRY(read_named(file, keys.y, store, &out->y, err));
    return read_named(file, keys.w, store, &out->w, err);
}

/* access is consumed. */
static qs_status open_file(const char *name, hid_t access, const char *keys, qs_store *store,
                           qs_parts *out, qs_error *err)
{
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    const hid_t file = H5Fopen(name, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    if (file < 0)
        return qs_fail(err, QS_E_FORMAT, "no HDF5 file, or one that is truncated or damaged");
    const qs_status status = read_file(file, keys, store, out, err);
    H5Fclose(file);
    return status;
}

/* Its own reports would go to stderr. */
static void quietly(H5E_auto2_t *report, void **self)
{
    qs_hdf5_lock();
    H5Eget_auto2(H5E_DEFAULT, report, self);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static void as_before(H5E_auto2_t report, void *self)
{
    H5Eset_auto2(H5E_DEFAULT, report, self);
    qs_hdf5_unlock();
}

qs_status qs_h5_parse(const unsigned char *bytes, size_t n, const char *keys, qs_store *store,
                      qs_parts *out, qs_error *err)
{
    H5E_auto2_t report;
    void *self;
    QS_TRY(qs_h5_heaps_check(bytes, n, err));
    quietly(&report, &self);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 16, 0);
    const bool set = H5Pset_file_image(access, (void *)(uintptr_t)bytes, n) >= 0; /* copied */
    const qs_status status = set ? open_file("memory", access, keys, store, out, err)
                                 : qs_fail(err, QS_E_FORMAT, "no HDF5 file: it has %zu bytes", n);
    if (!set)
        H5Pclose(access);
    as_before(report, self);
    return status;
}

qs_status qs_h5_open(const char *path, const char *keys, qs_store *store, qs_parts *out,
                     qs_error *err)
{
    const unsigned char *bytes;
    size_t n;
    H5E_auto2_t report;
    void *self;
    QS_TRY(qs_file_map(path, &bytes, &n, err));
    qs_status status = qs_h5_heaps_check(bytes, n, err);
    qs_file_unmap(bytes, n);
    if (status != QS_OK)
        return qs_context(err, status, "%s", path);
    quietly(&report, &self);
    status = open_file(path, H5Pcreate(H5P_FILE_ACCESS), keys, store, out, err);
    as_before(report, self);
    return qs_context(err, status, "%s", path);
}
