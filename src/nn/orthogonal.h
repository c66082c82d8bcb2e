/* SPDX-License-Identifier: MIT */
/* orthogonal.h - matrices whose rows or columns stand at right angles. Private. */
#ifndef QS_NN_ORTHOGONAL_H
#define QS_NN_ORTHOGONAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

/* data [rows, cols] = gain times an orthogonal matrix, evenly among all of them: orthonormal columns
 * where rows >= cols, else rows. Errors: no memory. */
qs_status qs_orthogonal(uint64_t key, size_t rows, size_t cols, double gain, float *data,
                        qs_error *err);

#endif
