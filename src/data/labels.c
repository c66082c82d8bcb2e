/* SPDX-License-Identifier: MIT */
/* labels.c - classes or outputs, by what the numbers are. */
#include "data/labels.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "data/array.h"
#include "data/spec_text.h"

/* Larger whole numbers in floats are something to predict, not classes. */
static const double most_classes = 1e6;
enum { CHUNK = 256 };

static bool is_float(qs_dtype dtype)
{
    return dtype == QS_F32 || dtype == QS_F64;
}

static qs_status refuse(size_t sample, const char *what, double value, const char *why,
                        qs_error *err)
{
    char text[QS_NUMBER_TEXT];
    return qs_fail(err, QS_E_DATA, "sample %zu: %s is %s; %s", sample, what,
                   qs_number_text(value, text), why);
}

/* Numbers as f32: in place where they are, else a block. */
static qs_status as_floats(qs_data *data, const qs_array *from, const char *what, const float **out,
                           qs_error *err)
{
    const size_t count = qs_array_count(from), width = qs_array_width(from);
    double value[CHUNK];
    void *block = NULL;
    if (from->dtype != QS_F32)
        QS_TRY(qs_store_block(&data->store, count, sizeof(float), "labels", &block, err));
    for (size_t at = 0; at < count; at += CHUNK) {
        const size_t n = count - at < CHUNK ? count - at : CHUNK;
        qs_array_doubles(from, at, n, value);
        for (size_t i = 0; i < n; i++) {
            if (!(fabs(value[i]) <= FLT_MAX))
                return refuse((at + i) / width, what, value[i], "it must be a finite number", err);
            if (block)
                ((float *)block)[at + i] = (float)value[i];
        }
    }
    *out = block ? block : from->data;
    return QS_OK;
}

/* The smallest and largest of one integer a row. */
static void range_of(const qs_array *y, size_t rows, double *least, double *most)
{
    double value[CHUNK];
    *least = *most = 0;
    for (size_t at = 0; at < rows; at += CHUNK) {
        const size_t n = rows - at < CHUNK ? rows - at : CHUNK;
        qs_array_doubles(y, at, n, value);
        for (size_t i = 0; i < n; i++) {
            *least = fmin(*least, value[i]);
            *most = fmax(*most, value[i]);
        }
    }
}

static bool all_classes(const float *y, size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        if (!(y[i] >= 0 && (double)y[i] <= most_classes && y[i] == floorf(y[i])))
            return false;
    return true;
}

/* y: integers from 0. */
static void set_classes(qs_data *data, const void *y, qs_dtype dtype)
{
    const qs_array labels = {.data = y, .dtype = dtype, .rank = 1, .dim = {data->rows}};
    double least, most;
    range_of(&labels, data->rows, &least, &most);
    data->y = y;
    data->y_type = dtype;
    data->outputs = 0;
    data->classes = (size_t)most + 1;
}

/* Integers below 0 are no classes: they are numbers to predict, or the -1 and 1 of a hinge. */
static bool has_negative(const qs_array *y, size_t rows)
{
    double least, most;
    range_of(y, rows, &least, &most);
    return least < 0;
}

static qs_status set_floats(qs_data *data, const qs_array *y, qs_error *err)
{
    const float *value;
    void *block;
    QS_TRY(as_floats(data, y, "the label", &value, err));
    if (qs_array_width(y) != 1 || !all_classes(value, data->rows)) {
        data->y = value;
        data->y_type = QS_F32;
        data->outputs = qs_array_width(y);
        return QS_OK;
    }
    QS_TRY(qs_store_block(&data->store, data->rows, sizeof(int32_t), "labels", &block, err));
    for (size_t i = 0; i < data->rows; i++)
        ((int32_t *)block)[i] = (int32_t)value[i];
    set_classes(data, block, QS_I32);
    return QS_OK;
}

/* ---- names of classes ---- */

static qs_status find_name(const qs_data *like, const char *name, int32_t *out, qs_error *err)
{
    for (size_t c = 0; c < like->named; c++)
        if (strcmp(like->class_name[c], name) == 0) {
            *out = (int32_t)c;
            return QS_OK;
        }
    return qs_fail(err, QS_E_DATA, "class '%s' is not among the %zu classes of %s", name,
                   like->named, like->name);
}

/* Labels of these names become labels of like's names, which may be more. */
static qs_status rename(qs_data *data, const qs_parts *parts, const qs_data *like, qs_error *err)
{
    const qs_array from = {.data = data->y, .dtype = data->y_type};
    int32_t *const to = QS_NEW_N(&data->store.arena, int32_t, parts->classes);
    void *block;
    if (!to)
        return qs_fail_memory(err, (double)parts->classes * sizeof *to, "class names");
    for (size_t c = 0; c < parts->classes; c++)
        QS_TRY(find_name(like, parts->class_name[c], &to[c], err));
    QS_TRY(qs_store_block(&data->store, data->rows, sizeof *to, "labels", &block, err));
    for (size_t i = 0; i < data->rows; i++) {
        double label;
        qs_array_doubles(&from, i, 1, &label);
        ((int32_t *)block)[i] = to[(size_t)label];
    }
    set_classes(data, block, QS_I32);
    return QS_OK;
}

/* The names of `like` outlive it. */
qs_status qs_labels_name_like(qs_data *data, const qs_data *like, qs_error *err)
{
    const char **const names = QS_NEW_N(&data->store.arena, const char *, like->named);
    for (size_t c = 0; names && c < like->named; c++) {
        names[c] =
            qs_spec_copy(&data->store.arena, like->class_name[c], strlen(like->class_name[c]));
        if (!names[c])
            return qs_fail_memory(err, 64, "class names");
    }
    if (!names)
        return qs_fail_memory(err, (double)like->named * sizeof *names, "class names");
    data->class_name = names;
    data->named = like->named;
    return QS_OK;
}

static qs_status set_names(qs_data *data, const qs_parts *parts, const qs_data *like, qs_error *err)
{
    if (parts->class_name && data->classes > parts->classes)
        return qs_fail(err, QS_E_DATA, "label %zu, but there are %zu classes", data->classes - 1,
                       parts->classes);
    const bool others = like && like->class_name;
    if (others && parts->class_name && like->class_name != parts->class_name)
        QS_TRY(rename(data, parts, like, err));
    if (others) {
        QS_TRY(qs_labels_name_like(data, like, err));
    } else if (parts->class_name) {
        data->class_name = parts->class_name;
        data->named = parts->classes;
    }
    if (data->classes < data->named)
        data->classes = data->named;
    return QS_OK;
}

static qs_status same_rows(const qs_data *data, const qs_array *array, const char *what,
                           qs_error *err)
{
    if (array->rank < 1 || array->dim[0] != data->rows)
        return qs_fail(err, QS_E_SHAPE, "%zu samples, but %zu %s", data->rows,
                       array->rank < 1 ? 1 : array->dim[0], what);
    if (qs_array_width(array) == 0)
        return qs_fail(err, QS_E_SHAPE, "an axis of the %s is 0", what);
    return QS_OK;
}

qs_status qs_labels_read(qs_data *data, const qs_parts *parts, const qs_data *like, qs_error *err)
{
    const qs_array *const y = &parts->y;
    if (!y->data)
        return QS_OK;
    QS_TRY(same_rows(data, y, "labels", err));
    if (is_float(y->dtype) || qs_array_width(y) != 1 || has_negative(y, data->rows))
        QS_TRY(set_floats(data, y, err));
    else
        set_classes(data, y->data, y->dtype);
    return data->outputs ? QS_OK : set_names(data, parts, like, err);
}

qs_status qs_weights_read(qs_data *data, const qs_array *w, qs_error *err)
{
    if (!w->data)
        return QS_OK;
    QS_TRY(same_rows(data, w, "sample weights", err));
    if (qs_array_width(w) != 1)
        return qs_fail(err, QS_E_SHAPE, "%zu weights a sample; one is needed", qs_array_width(w));
    return as_floats(data, w, "the weight", &data->weight, err);
}
