/* SPDX-License-Identifier: MIT */
/* fetch.c - gathers rows of arrays, or asks a caller's source for them and checks what it gave. */
#include "data/fetch.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "data/array.h"
#include "data/scale.h"

enum { CHUNK = 256 };

static size_t x_bytes(const qs_data *data)
{
    return qs_shape_count(&data->sample) * qs_dtype_bytes(data->x_type);
}

static size_t y_bytes(const qs_data *data)
{
    return (data->outputs ? data->outputs : 1) * qs_dtype_bytes(data->y_type);
}

qs_status qs_batch_alloc(const qs_data *data, size_t batch, qs_arena *arena, qs_batch *out,
                         qs_error *err)
{
    const bool own = data->source.read != NULL;
    const bool labels = data->y || own,
               factors = data->row_factor || (own && qs_scale_by_row(data));
    const qs_batch b = {
        .index = own ? QS_NEW_N(arena, uint32_t, batch) : NULL,
        .x = qs_arena_alloc(arena, batch, x_bytes(data)),
        .y = labels ? qs_arena_alloc(arena, batch, y_bytes(data)) : NULL,
        .row_factor = factors ? QS_NEW_N(arena, float, batch) : NULL,
        .weight = data->weight ? QS_NEW_N(arena, float, batch) : NULL,
    };
    if (!b.x || (own && !b.index) || (labels && !b.y) || (factors && !b.row_factor) ||
        (data->weight && !b.weight))
        return qs_fail_memory(err, (double)batch * (double)(x_bytes(data) + y_bytes(data)),
                              "a batch that is fetched ahead");
    *out = b;
    return QS_OK;
}

static void gather(const void *from, size_t bytes, const uint32_t *index, size_t n, void *to)
{
    for (size_t i = 0; i < n; i++)
        memcpy((char *)to + i * bytes, (const char *)from + index[i] * bytes, bytes);
}

/* ---- a caller's source ---- */

static qs_status check_numbers(const qs_data *data, const qs_array *numbers, size_t width,
                               const qs_batch *got, size_t n, qs_error *err)
{
    double value[CHUNK];
    for (size_t at = 0; at < n * width; at += CHUNK) {
        const size_t m = n * width - at < CHUNK ? n * width - at : CHUNK;
        qs_array_doubles(numbers, at, m, value);
        for (size_t i = 0; i < m; i++)
            if (!(fabs(value[i]) <= FLT_MAX))
                return qs_fail(err, QS_E_DATA, "%s: row %u holds %g", data->name,
                               got->index[(at + i) / width], value[i]);
    }
    return QS_OK;
}

static qs_status check_labels(const qs_data *data, const qs_batch *got, size_t n, qs_error *err)
{
    const int32_t *const y = got->y;
    for (size_t i = 0; i < n; i++)
        if (y[i] < 0 || (size_t)y[i] >= data->classes)
            return qs_fail(err, QS_E_DATA, "%s: the label of row %u is %d; it must be 0 to %zu",
                           data->name, got->index[i], y[i], data->classes - 1);
    return QS_OK;
}

static qs_status read_own(const qs_data *data, const uint32_t *index, size_t n, const qs_batch *to,
                          qs_error *err)
{
    const qs_array x = {.data = to->x, .dtype = data->x_type},
                   y = {.data = to->y, .dtype = data->y_type};
    for (size_t i = 0; i < n; i++)
        to->index[i] = (uint32_t)(index[i] + data->first);
    const int code = data->source.read(data->source.self, to->index, n, to->x, to->y);
    if (code != 0)
        return qs_fail(err, QS_E_IO, "%s: read() of %zu rows from row %u on failed with %d",
                       data->name, n, to->index[0], code);
    if (data->x_type == QS_F32 || data->x_type == QS_F64)
        QS_TRY(check_numbers(data, &x, qs_shape_count(&data->sample), to, n, err));
    QS_TRY(data->outputs ? check_numbers(data, &y, data->outputs, to, n, err)
                         : check_labels(data, to, n, err));
    if (to->row_factor)
        qs_scale_rows(data, to->x, n, to->row_factor);
    return QS_OK;
}

qs_status qs_batch_fill(const qs_data *data, const uint32_t *index, size_t n, const qs_batch *to,
                        qs_error *err)
{
    if (data->source.read)
        return read_own(data, index, n, to, err);
    gather(data->x, x_bytes(data), index, n, to->x);
    if (to->y)
        gather(data->y, y_bytes(data), index, n, to->y);
    if (to->row_factor)
        gather(data->row_factor, sizeof(float), index, n, to->row_factor);
    if (to->weight)
        gather(data->weight, sizeof(float), index, n, to->weight);
    return QS_OK;
}

void qs_batch_rows(const qs_data *data, const qs_batch *batch, size_t n, qs_rows *out)
{
    *out = (qs_rows){
        .n = n,
        .x = batch->x,
        .x_type = data->x_type,
        .features = qs_shape_count(&data->sample),
        .row_factor = batch->row_factor,
        .mul = data->mul,
        .add = data->add,
        .affine = data->affine,
        .y = batch->y,
        .y_type = data->y_type,
        .outputs = data->outputs,
        .weight = batch->weight,
    };
}
