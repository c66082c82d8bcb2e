/* SPDX-License-Identifier: MIT */
/* array.c - counting, converting and straightening arrays. */
#include "data/array.h"

#include <stdint.h>
#include <string.h>

#include "tensor/npy.h"

static qs_shape shape_of(const qs_array *array, int first)
{
    qs_shape shape = {.rank = array->rank > first ? array->rank - first : 0};
    for (int i = 0; i < shape.rank; i++)
        shape.dim[i] = array->dim[first + i];
    return shape;
}

size_t qs_array_count(const qs_array *array)
{
    const qs_shape shape = shape_of(array, 0);
    return qs_shape_count(&shape);
}

size_t qs_array_width(const qs_array *array)
{
    const qs_shape shape = shape_of(array, 1);
    return qs_shape_count(&shape);
}

#define CONVERT(type)                                                                              \
    for (size_t i = 0; i < n; i++)                                                                 \
        out[i] = (double)((const type *)array->data)[first + i];                                   \
    break

void qs_array_doubles(const qs_array *array, size_t first, size_t n, double *out)
{
    switch (array->dtype) {
    case QS_F32:
        CONVERT(float);
    case QS_F64:
        CONVERT(double);
    case QS_U8:
        CONVERT(uint8_t);
    case QS_I8:
        CONVERT(int8_t);
    case QS_I16:
        CONVERT(int16_t);
    case QS_U16:
        CONVERT(uint16_t);
    case QS_I32:
        CONVERT(int32_t);
    case QS_U32:
        CONVERT(uint32_t);
    case QS_I64:
        CONVERT(int64_t);
    }
}

/* The first axis of `from` is the fastest; in *to the last one is. */
static void straighten(const qs_array *from, size_t count, unsigned char *to)
{
    const size_t size = qs_dtype_bytes(from->dtype);
    size_t at[QS_MAX_RANK] = {0}, stride[QS_MAX_RANK] = {0}, step = 1;
    for (int k = 0; k < from->rank; k++) {
        stride[k] = step;
        step *= from->dim[k];
    }
    for (size_t i = 0, source = 0; i < count; i++) {
        memcpy(to + i * size, (const unsigned char *)from->data + source * size, size);
        for (int k = from->rank - 1; k >= 0; k--) {
            source += stride[k];
            if (++at[k] < from->dim[k])
                break;
            source -= stride[k] * at[k];
            at[k] = 0;
        }
    }
}

qs_status qs_array_npy(const unsigned char *bytes, size_t n, qs_store *store, qs_array *out,
                       qs_error *err)
{
    qs_array array;
    bool fortran;
    QS_TRY(qs_npy_parse(bytes, n, &array, &fortran, err));
    const size_t count = qs_array_count(&array), size = qs_dtype_bytes(array.dtype);
    const size_t have = n - (size_t)((const unsigned char *)array.data - bytes);
    if (count * size != have)
        return qs_fail(err, QS_E_FORMAT, "%zu bytes follow the array's %zu; is the file whole?",
                       have - count * size, count * size);
    const bool aligned = (uintptr_t)array.data % size == 0;
    if ((fortran && array.rank > 1) || !aligned) {
        void *block;
        QS_TRY(qs_store_block(store, count, size, "an array", &block, err));
        if (fortran)
            straighten(&array, count, block);
        else
            memcpy(block, array.data, count * size);
        array.data = block;
    }
    *out = array;
    return QS_OK;
}
