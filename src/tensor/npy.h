/* SPDX-License-Identifier: MIT */
/* npy.h - NumPy's .npy form of an array in memory. Private. */
#ifndef QS_TENSOR_NPY_H
#define QS_TENSOR_NPY_H

#include <stdbool.h>

#include "base/fail.h"
#include "tensor/shape.h"

/* See what bytes[0..n) hold; out->data points into them (aligned as they are). *fortran: the first
 * axis is the fastest. Errors: QS_E_FORMAT, QS_E_UNSUPPORTED (a type that is not a qs_dtype). */
qs_status qs_npy_parse(const unsigned char *bytes, size_t n, qs_array *out, bool *fortran,
                       qs_error *err);

/* The header that goes before the elements; returns its bytes, a multiple of 64. */
enum { QS_NPY_HEADER = 256 };
size_t qs_npy_header(qs_dtype dtype, const qs_shape *shape, unsigned char out[QS_NPY_HEADER]);

#endif
