/* SPDX-License-Identifier: MIT */
/* shape.c - counting and printing axes. */
#include "tensor/shape.h"

#include <stdint.h>
#include <stdio.h>

size_t qs_shape_count(const qs_shape *shape)
{
    size_t n = 1;
    for (int i = 0; i < shape->rank; i++) {
        if (shape->dim[i] && n > SIZE_MAX / shape->dim[i])
            return SIZE_MAX;
        n *= shape->dim[i];
    }
    return n;
}

bool qs_shape_same(const qs_shape *a, const qs_shape *b)
{
    if (a->rank != b->rank)
        return false;
    for (int i = 0; i < a->rank; i++)
        if (a->dim[i] != b->dim[i])
            return false;
    return true;
}

const char *qs_shape_text(const qs_shape *shape, char text[QS_SHAPE_TEXT])
{
    int at = snprintf(text, QS_SHAPE_TEXT, "[");
    for (int i = 0; i < shape->rank; i++)
        at += snprintf(text + at, (size_t)(QS_SHAPE_TEXT - at), "%s%zu", i ? ", " : "",
                       shape->dim[i]);
    snprintf(text + at, (size_t)(QS_SHAPE_TEXT - at), "]");
    return text;
}

size_t qs_dtype_bytes(qs_dtype dtype)
{
    static const unsigned char bytes[] = {
        [QS_F32] = 4, [QS_F64] = 8, [QS_U8] = 1,  [QS_I8] = 1,  [QS_I16] = 2,
        [QS_U16] = 2, [QS_I32] = 4, [QS_U32] = 4, [QS_I64] = 8,
    };
    return (size_t)dtype < sizeof bytes ? bytes[dtype] : 0;
}

const char *qs_dtype_name(qs_dtype dtype)
{
    static const char *const names[] = {
        [QS_F32] = "f32", [QS_F64] = "f64", [QS_U8] = "u8",   [QS_I8] = "i8",   [QS_I16] = "i16",
        [QS_U16] = "u16", [QS_I32] = "i32", [QS_U32] = "u32", [QS_I64] = "i64",
    };
    return (size_t)dtype < sizeof names / sizeof *names ? names[dtype] : "?";
}
