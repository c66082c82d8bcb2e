/* SPDX-License-Identifier: MIT */
/* rows.h - labels of a batch where it is stored. Private. */
#ifndef QS_KERNELS_ROWS_H
#define QS_KERNELS_ROWS_H

#include "kernels/step.h"

/* Where sample i of the batch is stored. */
static inline size_t qs_row_of(const qs_rows *rows, size_t i)
{
    return rows->index ? rows->index[i] : i;
}

/* The integer label of stored row `row`. */
int64_t qs_class_at(const qs_rows *rows, size_t row);

/* Class of stored row `row`: its label, or the place of the largest of its outputs (the first of
 * equals); of a single output its value. */
size_t qs_class_of(const qs_rows *rows, size_t row);

/* Whether every label of the batch is 0 or 1. */
bool qs_rows_zero_one(const qs_rows *rows);

#endif
