/* SPDX-License-Identifier: MIT */
/* split.c - parts of a set, and what a set says of itself. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "data/data.h"

static const void *move(const void *p, size_t bytes)
{
    return p ? (const char *)p + bytes : NULL;
}

/* Rows [first, first + rows) of a set, which stays the owner of everything. */
static qs_data *part_of(const qs_data *data, size_t first, size_t rows)
{
    qs_data *const part = qs_calloc(1, sizeof *part);
    if (!part)
        return NULL;
    *part = *data;
    memset(&part->store, 0, sizeof part->store);
    part->store.mapped = data->store.mapped;
    const size_t x_bytes = qs_shape_count(&data->sample) * qs_dtype_bytes(data->x_type);
    const size_t y_width = data->outputs ? data->outputs : 1;
    part->x = move(data->x, first * x_bytes);
    part->y = move(data->y, first * y_width * qs_dtype_bytes(data->y_type));
    part->weight = move(data->weight, first * sizeof *data->weight);
    part->row_factor = move(data->row_factor, first * sizeof *data->row_factor);
    part->rows = rows;
    part->first = data->first + first;
    return part;
}

qs_status qs_data_split(const qs_data *data, double fraction, qs_data **train, qs_data **valid,
                        qs_error *err)
{
    if (!(fraction > 0 && fraction < 1))
        return qs_fail(err, QS_E_ARG, "a validation split must be between 0 and 1, not %g",
                       fraction);
    const size_t first = (size_t)floor((double)data->rows * (1.0 - fraction));
    if (first == 0 || first >= data->rows)
        return qs_fail(err, QS_E_ARG,
                       "a validation split of %g of the %zu rows of %s leaves %zu to train and %zu "
                       "to validate; both need one",
                       fraction, data->rows, data->name, first, data->rows - first);
    qs_data *const a = part_of(data, 0, first), *const b = part_of(data, first, data->rows - first);
    if (!a || !b) {
        qs_data_close(a);
        qs_data_close(b);
        return qs_fail_memory(err, 2 * sizeof *a, "a split of a set");
    }
    *train = a;
    *valid = b;
    return QS_OK;
}

void qs_data_describe(const qs_data *data, qs_data_info *out)
{
    *out = (qs_data_info){
        .name = data->name,
        .rows = data->rows,
        .rank = data->sample.rank,
        .dtype = data->x_type,
        .outputs = data->outputs,
        .classes = data->outputs ? 0 : data->classes,
        .has_labels = data->y || data->source.read,
        .has_weights = data->weight != NULL,
        .test = data->test,
    };
    memcpy(out->shape, data->sample.dim, sizeof out->shape);
}

const char *qs_data_class_name(const qs_data *data, size_t index)
{
    return index < data->named ? data->class_name[index] : NULL;
}
