/* SPDX-License-Identifier: MIT */
/* array.h - small work on arrays of any element type. Private. */
#ifndef QS_DATA_ARRAY_H
#define QS_DATA_ARRAY_H

#include "data/store.h"
#include "quickstep/data.h"

size_t qs_array_count(const qs_array *array); /* elements; SIZE_MAX where the product overflows */
size_t qs_array_width(const qs_array *array); /* elements of one row: all axes but the first */

/* Elements [first, first + n) as doubles. */
void qs_array_doubles(const qs_array *array, size_t first, size_t n, double *out);

/* An .npy array in C order, aligned: in place where the file allows it, else a block of the store.
 * Errors: QS_E_FORMAT, QS_E_UNSUPPORTED, QS_E_NOMEM. */
qs_status qs_array_npy(const unsigned char *bytes, size_t n, qs_store *store, qs_array *out,
                       qs_error *err);

#endif
