/* SPDX-License-Identifier: MIT */
/* idx.h - IDX, the form of the MNIST files: two zeros, a type, axes, elements. Private. */
#ifndef QS_DATA_IDX_H
#define QS_DATA_IDX_H

#include "data/source.h"

/* See what bytes[0..n) hold. Elements of several bytes are big-endian in the file: they become a
 * block of the store; single bytes are used where they are. Errors: QS_E_FORMAT. */
qs_status qs_idx_parse(const unsigned char *bytes, size_t n, qs_store *store, qs_array *out,
                       qs_error *err);

/* Open a pair of files; labels NULL: none. Errors name the file. */
qs_status qs_idx_open(const char *images, const char *labels, qs_store *store, qs_parts *out,
                      qs_error *err);

#endif
