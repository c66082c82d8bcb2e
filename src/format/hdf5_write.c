/* SPDX-License-Identifier: MIT */
/* hdf5_write.c - an HDF5 file built in memory, the same bytes for the same contents. */
#include <string.h>

#include "base/alloc.h"
#include "base/hdf5_lock.h"
#include "format/hdf5_file.h"

enum { CORE_STEP = 1 << 20 };

static qs_status failed(const char *path, qs_error *err)
{
    return qs_fail(err, QS_E_NOMEM, "HDF5 could not write %s: memory ran out", path);
}

qs_status qs_hdf5_create(qs_hdf5 *out, qs_error *err)
{
    qs_hdf5 file = {.file = -1};
    qs_hdf5_lock();
    H5Eget_auto2(H5E_DEFAULT, &file.report, &file.report_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, CORE_STEP, 0);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    file.file = H5Fcreate("memory", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    if (file.file < 0) {
        qs_hdf5_close(&file);
        return failed("/", err);
    }
    *out = file;
    return QS_OK;
}

static hid_t link_plan(void)
{
    const hid_t plan = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(plan, 1);
    return plan;
}

qs_status qs_hdf5_group(const qs_hdf5 *file, const char *path, qs_error *err)
{
    if (qs_hdf5_has(file, path))
        return QS_OK;
    const hid_t links = link_plan();
    const hid_t group = H5Gcreate2(file->file, path, links, H5P_DEFAULT, H5P_DEFAULT);
    H5Pclose(links);
    return group < 0 || H5Gclose(group) < 0 ? failed(path, err) : QS_OK;
}

static qs_status write_as(const qs_hdf5 *file, const char *path, const qs_shape *shape,
                          const hid_t type[2], const void *data, qs_error *err)
{
    hsize_t dim[QS_MAX_RANK] = {0};
    for (int i = 0; i < shape->rank; i++)
        dim[i] = shape->dim[i];
    const hid_t space =
        shape->rank ? H5Screate_simple(shape->rank, dim, NULL) : H5Screate(H5S_SCALAR);
    const hid_t links = link_plan(), plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(plan, 0); /* a time would make every file another one */
    const hid_t set = H5Dcreate2(file->file, path, type[0], space, links, plan, H5P_DEFAULT);
    const bool fine = set >= 0 && H5Dwrite(set, type[1], H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    if (set >= 0)
        H5Dclose(set);
    H5Pclose(plan);
    H5Pclose(links);
    H5Sclose(space);
    return fine ? QS_OK : failed(path, err);
}

qs_status qs_hdf5_write(const qs_hdf5 *file, const char *path, const qs_shape *shape,
                        const float *data, qs_error *err)
{
    const hid_t type[2] = {H5T_IEEE_F32LE, H5T_NATIVE_FLOAT};
    return write_as(file, path, shape, type, data, err);
}

qs_status qs_hdf5_write_integer(const qs_hdf5 *file, const char *path, int64_t value, qs_error *err)
{
    const hid_t type[2] = {H5T_STD_I64LE, H5T_NATIVE_INT64};
    return write_as(file, path, &(qs_shape){0}, type, &value, err);
}

/* Closes `space`; text NULL: nothing to write. */
static qs_status set_attribute(const qs_hdf5 *file, const char *path, const char *name,
                               const char *const *text, hid_t space, qs_error *err)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    const hid_t attribute = H5Acreate_by_name(file->file, path, name, type, space, H5P_DEFAULT,
                                              H5P_DEFAULT, H5P_DEFAULT);
    bool fine = attribute >= 0;
    if (fine && text)
        fine = H5Awrite(attribute, type, text) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    H5Tclose(type);
    H5Sclose(space);
    return fine ? QS_OK : failed(path, err);
}

qs_status qs_hdf5_set_text(const qs_hdf5 *file, const char *path, const char *name,
                           const char *text, qs_error *err)
{
    return set_attribute(file, path, name, &text, H5Screate(H5S_SCALAR), err);
}

qs_status qs_hdf5_set_texts(const qs_hdf5 *file, const char *path, const char *name,
                            const char *const *text, size_t count, qs_error *err)
{
    const hsize_t dim = count;
    return set_attribute(file, path, name, count ? text : NULL, H5Screate_simple(1, &dim, NULL),
                         err);
}

qs_status qs_hdf5_image(const qs_hdf5 *file, unsigned char **bytes, size_t *n, qs_error *err)
{
    H5Fflush(file->file, H5F_SCOPE_GLOBAL);
    const ssize_t size = H5Fget_file_image(file->file, NULL, 0);
    if (size <= 0)
        return failed("/", err);
    unsigned char *image = qs_malloc((size_t)size);
    if (!image)
        return qs_fail_memory(err, (double)size, "an HDF5 file");
    if (H5Fget_file_image(file->file, image, (size_t)size) != size) {
        qs_free(image);
        return failed("/", err);
    }
    *bytes = image;
    *n = (size_t)size;
    return QS_OK;
}
