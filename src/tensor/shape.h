/* SPDX-License-Identifier: MIT */
/* shape.h - axes of an array, slowest first. Private. */
#ifndef QS_TENSOR_SHAPE_H
#define QS_TENSOR_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "quickstep/data.h"

typedef struct qs_shape {
    int rank; /* without the batch axis where it is a sample's */
    size_t dim[QS_MAX_RANK];
} qs_shape;

/* Elements; 1 for rank 0. SIZE_MAX where the product overflows. */
size_t qs_shape_count(const qs_shape *shape);
bool qs_shape_same(const qs_shape *a, const qs_shape *b);

/* "[128, 784]"; returns text. */
enum { QS_SHAPE_TEXT = 160 };
const char *qs_shape_text(const qs_shape *shape, char text[QS_SHAPE_TEXT]);

#endif
