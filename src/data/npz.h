/* SPDX-License-Identifier: MIT */
/* npz.h - NumPy's .npz: a zip of .npy arrays. Private. */
#ifndef QS_DATA_NPZ_H
#define QS_DATA_NPZ_H

#include "data/source.h"

/* Arrays "X,Y[,W]" of the archive in bytes[0..n), or the well-known ones for "" (see keys.h). *test:
 * it also has x_test and y_test. Errors: QS_E_FORMAT, QS_E_UNSUPPORTED, QS_E_MISSING. */
qs_status qs_npz_parse(const unsigned char *bytes, size_t n, const char *keys, qs_store *store,
                       qs_parts *out, bool *test, qs_error *err);

/* Errors name the file. */
qs_status qs_npz_open(const char *path, const char *keys, qs_store *store, qs_parts *out,
                      qs_error *err);

#endif
