/* SPDX-License-Identifier: MIT */
/* h5.h - arrays out of HDF5 files. Private. */
#ifndef QS_DATA_H5_H
#define QS_DATA_H5_H

#include "data/source.h"

/* Arrays "X,Y[,W]" (paths inside the file), or the well-known ones for "" (see keys.h). Errors:
 * QS_E_FORMAT, QS_E_UNSUPPORTED, QS_E_MISSING. */
qs_status qs_h5_parse(const unsigned char *bytes, size_t n, const char *keys, qs_store *store,
                      qs_parts *out, qs_error *err);

/* The same of a file on disk, which is read piece by piece. Errors name the file. */
qs_status qs_h5_open(const char *path, const char *keys, qs_store *store, qs_parts *out,
                     qs_error *err);

#endif
