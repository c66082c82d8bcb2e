/* SPDX-License-Identifier: MIT */
/* h5_heap.h - what must be looked at before libhdf5 is let near a file. Private. */
#ifndef QS_DATA_H5_HEAP_H
#define QS_DATA_H5_HEAP_H

#include <stddef.h>

#include "base/fail.h"

/* Errors: QS_E_FORMAT where the file's base is not its start, or a heap of names lies outside it or
 * is empty: libhdf5 1.10 believes both. */
qs_status qs_h5_heaps_check(const unsigned char *bytes, size_t n, qs_error *err);

#endif
