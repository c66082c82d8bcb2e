/* SPDX-License-Identifier: MIT */
/* hdf5_file.h - the little of HDF5 that Keras' files need, from and to memory. Private.
 *
 * Reading trusts nothing: only hard links are followed, shapes and storage are checked before
 * anything is read. Nothing is printed. From open or create to close the thread holds
 * base/hdf5_lock.h. Paths are absolute: "/layers/dense/vars/0".
 */
#ifndef QS_FORMAT_HDF5_FILE_H
#define QS_FORMAT_HDF5_FILE_H

#include <hdf5.h>
#include <stdint.h>

#include "base/fail.h"
#include "tensor/shape.h"

typedef struct qs_hdf5 {
    hid_t file;
    H5E_auto2_t report; /* who printed errors before; put back by close */
    void *report_data;
} qs_hdf5;

/* Errors: QS_E_FORMAT where a heap of texts lies about itself; see hdf5_heap.c. */
qs_status qs_hdf5_heaps_check(const unsigned char *bytes, size_t n, qs_error *err);

qs_status qs_hdf5_open(const unsigned char *bytes, size_t n, qs_hdf5 *out, qs_error *err);
void qs_hdf5_close(qs_hdf5 *file);

bool qs_hdf5_has(const qs_hdf5 *file, const char *path);
size_t qs_hdf5_members(const qs_hdf5 *file, const char *path); /* of a group; 0: none or no group */

/* Name of member `index` in the order of names; "" where there is none or it is too long. */
const char *qs_hdf5_member(const qs_hdf5 *file, const char *path, size_t index, char name[256]);

/* Shape of the data set of numbers at `path`; false: there is none. */
bool qs_hdf5_shape(const qs_hdf5 *file, const char *path, qs_shape *out);

/* Numbers of any type as floats. Errors: QS_E_FORMAT no such data set, QS_E_SHAPE another shape. */
qs_status qs_hdf5_read(const qs_hdf5 *file, const char *path, const qs_shape *shape, float *out,
                       qs_error *err);
qs_status qs_hdf5_read_number(const qs_hdf5 *file, const char *path, double *out, qs_error *err);

/* A text attribute of the object at `path`; *out is qs_malloc'ed, NULL where there is none. */
qs_status qs_hdf5_text(const qs_hdf5 *file, const char *path, const char *name, char **out,
                       qs_error *err);

/* An attribute that is a list of texts, which Keras cuts into NAME0, NAME1, … where it is long. */
typedef struct qs_hdf5_texts {
    char **text;
    size_t count;
} qs_hdf5_texts;
qs_status qs_hdf5_texts_read(const qs_hdf5 *file, const char *path, const char *name,
                             qs_hdf5_texts *out, qs_error *err);
void qs_hdf5_texts_free(qs_hdf5_texts *texts);

/* Writing. Groups on the way to a path are made. Errors: QS_E_NOMEM. */
qs_status qs_hdf5_create(qs_hdf5 *out, qs_error *err);
qs_status qs_hdf5_group(const qs_hdf5 *file, const char *path, qs_error *err);
qs_status qs_hdf5_write(const qs_hdf5 *file, const char *path, const qs_shape *shape,
                        const float *data, qs_error *err);
qs_status qs_hdf5_write_integer(const qs_hdf5 *file, const char *path, int64_t value,
                                qs_error *err);
qs_status qs_hdf5_set_text(const qs_hdf5 *file, const char *path, const char *name,
                           const char *text, qs_error *err);
qs_status qs_hdf5_set_texts(const qs_hdf5 *file, const char *path, const char *name,
                            const char *const *text, size_t count, qs_error *err);
/* The file's bytes, qs_malloc'ed. The file stays open. */
qs_status qs_hdf5_image(const qs_hdf5 *file, unsigned char **bytes, size_t *n, qs_error *err);

#endif
