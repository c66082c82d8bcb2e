/* SPDX-License-Identifier: MIT */
/* gather.c - the two ends of the data: rows as stored in, features and targets by lanes out. */
#include <string.h>

#include "kernels/rows.h"
#include "kernels/vec/ops.h"
#include "kernels/vec/transpose.h"
#include "kernels/vec/vec.h"

#define CONVERT(type)                                                                              \
    for (size_t k = 0; k < n; k++)                                                                 \
        to[k] = (float)((const type *)from)[k];                                                    \
    break

/* n elements of a stored row, as floats. */
INLINE void convert(qs_dtype dtype, const void *from, const size_t n, float *restrict to)
{
    switch (dtype) {
    case QS_F32:
        memcpy(to, from, n * sizeof *to);
        break;
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

typedef struct lane_rows {
    const unsigned char *at[VEC]; /* the sample's first element; NULL for padding */
    vec factor;                   /* 0 for padding */
} lane_rows;

static lane_rows rows_at(const qs_rows *rows, size_t first)
{
    lane_rows r = {.factor = {0}};
    const size_t bytes = rows->features * qs_dtype_bytes(rows->x_type);
    for (size_t i = 0; i < VEC && first + i < rows->n; i++) {
        const size_t row = qs_row_of(rows, first + i);
        r.at[i] = (const unsigned char *)rows->x + row * bytes;
        r.factor[i] = rows->row_factor ? rows->row_factor[row] : 1;
    }
    return r;
}

/* count <= VEC elements of a stored row, then zeros. */
INLINE vec load_part(qs_dtype dtype, const void *from, size_t count)
{
    float to[VEC] = {0};
    convert(dtype, from, count, to);
    return load(to);
}

/* Features f … f+count-1 of VEC samples, one sample a row; the usual types without detours. */
INLINE void load_rows(const lane_rows *r, qs_dtype dtype, size_t f, size_t count, vec out[VEC])
{
    const size_t skip = f * qs_dtype_bytes(dtype);
    const bool full = count == VEC && r->at[VEC - 1];
    if (full && dtype == QS_U8) {
        UNROLL for (int i = 0; i < VEC; i++) out[i] = load_bytes(r->at[i] + skip);
    } else if (full && dtype == QS_F32) {
        UNROLL for (int i = 0; i < VEC; i++) out[i] = load((const float *)(r->at[i] + skip));
    } else {
        for (int i = 0; i < VEC; i++)
            out[i] = r->at[i] ? load_part(dtype, r->at[i] + skip, count) : (vec){0};
    }
}

INLINE vec scaled(const qs_rows *rows, const lane_rows *r, size_t f, vec x)
{
    if (rows->mul) {
        const size_t k = rows->affine > 1 ? f : 0;
        x = x * splat(rows->mul[k]) + splat(rows->add ? rows->add[k] : 0);
    }
    return x * r->factor;
}

INLINE void gather_lanes(const qs_kernel_args *a, size_t lane, qs_dtype dtype)
{
    const qs_rows *rows = &a->step->rows;
    const lane_rows r = rows_at(rows, a->first + lane);
    for (size_t f = 0; f < rows->features; f += VEC) {
        const size_t count = qs_min(VEC, rows->features - f);
        vec x[VEC];
        load_rows(&r, dtype, f, count, x);
        transpose(x);
        for (size_t k = 0; k < count; k++)
            store(a->out[0] + (f + k) * a->lanes + lane, scaled(rows, &r, f + k, x[k]));
    }
}

/* out0 x [features, lanes]: rows gathered by index, converted, scaled; padding lanes are zero. */
void QS_RUNG(qs_op_gather)(const qs_kernel_args *a)
{
    for (size_t lane = 0; lane < a->lanes; lane += VEC)
        switch (a->step->rows.x_type) {
        case QS_U8:
            gather_lanes(a, lane, QS_U8);
            break;
        case QS_F32:
            gather_lanes(a, lane, QS_F32);
            break;
        default:
            gather_lanes(a, lane, a->step->rows.x_type);
        }
}

static void target_of(const qs_kernel_args *a, size_t lane, size_t row, size_t outputs)
{
    const qs_rows *rows = &a->step->rows;
    float *to = a->out[0] + lane;
    if (rows->outputs)
        for (size_t k = 0; k < outputs; k++)
            to[k * a->lanes] = ((const float *)rows->y)[row * outputs + k];
    else if (outputs == 1)
        to[0] = (float)qs_class_at(rows, row);
    else
        to[(size_t)qs_class_at(rows, row) * a->lanes] = 1;
}

/* out0 targets [outputs, lanes], one-hot where labels are classes; out1 [2, lanes]: the weight of
 * each sample in the loss, and 1 or, for padding, 0. dim: outputs. */
void QS_RUNG(qs_op_targets)(const qs_kernel_args *a)
{
    const qs_rows *rows = &a->step->rows;
    const size_t outputs = (size_t)a->dim[0];
    memset(a->out[0], 0, outputs * a->lanes * sizeof *a->out[0]);
    memset(a->out[1], 0, 2 * a->lanes * sizeof *a->out[1]);
    for (size_t i = 0; i < a->valid; i++) {
        const size_t row = qs_row_of(rows, a->first + i);
        float weight = rows->weight ? rows->weight[row] : 1;
        if (a->step->class_weight)
            weight *= a->step->class_weight[qs_class_of(rows, row)];
        a->out[1][i] = weight;
        a->out[1][a->lanes + i] = 1;
        target_of(a, i, row, outputs);
    }
}
