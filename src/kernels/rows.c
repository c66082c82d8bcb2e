/* SPDX-License-Identifier: MIT */
/* rows.c - labels in whatever type they are stored. */
#include "kernels/rows.h"

#define AT(type) ((int64_t)((const type *)rows->y)[row])

int64_t qs_class_at(const qs_rows *rows, size_t row)
{
    switch (rows->y_type) {
    case QS_U8:
        return AT(uint8_t);
    case QS_I8:
        return AT(int8_t);
    case QS_I16:
        return AT(int16_t);
    case QS_U16:
        return AT(uint16_t);
    case QS_I32:
        return AT(int32_t);
    case QS_U32:
        return AT(uint32_t);
    case QS_I64:
        return AT(int64_t);
    default:
        return 0;
    }
}

size_t qs_class_of(const qs_rows *rows, size_t row)
{
    if (!rows->outputs)
        return (size_t)qs_class_at(rows, row);
    const float *y = (const float *)rows->y + row * rows->outputs;
    size_t best = 0;
    if (rows->outputs == 1)
        return y[0] > 0 ? (size_t)y[0] : 0;
    for (size_t k = 1; k < rows->outputs; k++)
        if (y[k] > y[best])
            best = k;
    return best;
}

static bool row_zero_one(const qs_rows *rows, size_t row)
{
    const float *y = (const float *)rows->y + row * rows->outputs;
    for (size_t k = 0; k < rows->outputs; k++)
        if (y[k] != 0 && y[k] != 1)
            return false;
    return true;
}

bool qs_rows_zero_one(const qs_rows *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        const size_t row = qs_row_of(rows, i);
        const int64_t label = rows->outputs ? 0 : qs_class_at(rows, row);
        if (label < 0 || label > 1 || (rows->outputs && !row_zero_one(rows, row)))
            return false;
    }
    return true;
}
