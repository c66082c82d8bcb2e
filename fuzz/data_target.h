/* SPDX-License-Identifier: MIT */
/* data_target.h - what the parsers of data sets have in common as fuzz targets: arrays that are
 * found must be there in full. */
#ifndef QS_FUZZ_DATA_TARGET_H
#define QS_FUZZ_DATA_TARGET_H

#include <stdint.h>
#include <stdlib.h>

#include "data/array.h"
#include "data/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Read every byte of an array, so that a sanitizer sees one that is not there. */
static inline void touch(const qs_array *array)
{
    if (!array->data)
        return;
    const size_t n = qs_array_count(array) * qs_dtype_bytes(array->dtype);
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += ((const unsigned char *)array->data)[i];
    static volatile unsigned sink;
    sink = sum;
    (void)sink;
}

static inline void touch_parts(const qs_parts *parts)
{
    touch(&parts->x);
    touch(&parts->y);
    touch(&parts->w);
}

#endif
