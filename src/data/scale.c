/* SPDX-License-Identifier: MIT */
/* scale.c - scikit-learn's normalize, StandardScaler and MinMaxScaler, computed in double. */
#include "data/scale.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "data/array.h"
#include "quickstep/status.h"

enum { CHUNK = 256 };

static const char *const names[] = {"none", "unit", "l1", "l2", "max", "standard", "minmax", NULL};

qs_status qs_scale_name(const char *asked, const char **out, qs_error *err)
{
    char near[128];
    for (size_t i = 0; names[i]; i++)
        if (!asked || strcmp(asked, names[i]) == 0) {
            *out = names[i];
            return QS_OK;
        }
    return qs_fail(err, QS_E_ARG, "no scale '%s'%s", asked,
                   qs_nearest(asked, names, near, sizeof near));
}

static bool is(const qs_data *data, const char *name)
{
    return strcmp(data->scale, name) == 0;
}

/* ---- one factor a row ---- */

static double add_absolute(double sum, double x)
{
    return sum + fabs(x);
}

static double add_square(double sum, double x)
{
    return sum + x * x;
}

static double keep_largest(double sum, double x)
{
    return fabs(x) > sum ? fabs(x) : sum;
}

static double fold(const qs_array *x, size_t first, size_t n, double (*add)(double, double))
{
    double value[CHUNK], sum = 0;
    for (size_t at = 0; at < n; at += CHUNK) {
        const size_t m = n - at < CHUNK ? n - at : CHUNK;
        qs_array_doubles(x, first + at, m, value);
        for (size_t i = 0; i < m; i++)
            sum = add(sum, value[i]);
    }
    return sum;
}

/* The common case, a picture of bytes: whole numbers add up exactly. */
static double squares_of_bytes(const unsigned char *x, size_t n)
{
    uint64_t sum = 0;
    for (size_t at = 0; at < n; at += 1 << 15) {
        const size_t m = n - at < 1 << 15 ? n - at : 1 << 15;
        uint32_t part = 0;
        for (size_t i = 0; i < m; i++)
            part += (uint32_t)x[at + i] * x[at + i];
        sum += part;
    }
    return (double)sum;
}

static double norm_of(const qs_data *data, const qs_array *x, size_t first, size_t n)
{
    if (is(data, "l1"))
        return fold(x, first, n, add_absolute);
    if (is(data, "max"))
        return fold(x, first, n, keep_largest);
    if (x->dtype == QS_U8)
        return sqrt(squares_of_bytes((const unsigned char *)x->data + first, n));
    return sqrt(fold(x, first, n, add_square));
}

bool qs_scale_by_row(const qs_data *data)
{
    return is(data, "l1") || is(data, "l2") || is(data, "max");
}

void qs_scale_rows(const qs_data *data, const void *x, size_t n, float *factor)
{
    const qs_array rows = {.data = x, .dtype = data->x_type};
    const size_t features = qs_shape_count(&data->sample);
    for (size_t i = 0; i < n; i++) {
        const double norm = norm_of(data, &rows, i * features, features);
        factor[i] = norm > 0 ? (float)fmin(1 / norm, FLT_MAX) : 1;
    }
}

/* ---- statistics of each feature ---- */

/* Calls visit for each row, as doubles, in order. */
typedef struct walk {
    void (*visit)(struct walk *walk, const double *row);
    size_t features;
    double *a, *b; /* [features] what visit adds up */
} walk;

static qs_status fetch(const qs_data *data, size_t row, void *x, void *y, qs_error *err)
{
    const uint32_t index = (uint32_t)(data->first + row);
    if (data->source.read(data->source.self, &index, 1, x, y))
        return qs_fail(err, QS_E_IO, "the source of %s failed at row %zu", data->name, row);
    return QS_OK;
}

/* Rows that statistics are taken of: those that qs_data_split() leaves to train. */
static size_t fitted_rows(const qs_data *data)
{
    const size_t rows = (size_t)floor((double)data->rows * (1.0 - data->held_back));
    return rows ? rows : 1;
}

/* x, y: room for one row of a custom source. */
static qs_status walk_rows(const qs_data *data, walk *w, void *x, void *y, double *row,
                           qs_error *err)
{
    qs_array rows = {.data = data->source.read ? x : data->x, .dtype = data->x_type};
    for (size_t i = 0; i < fitted_rows(data); i++) {
        if (data->source.read)
            QS_TRY(fetch(data, i, x, y, err));
        qs_array_doubles(&rows, data->source.read ? 0 : i * w->features, w->features, row);
        w->visit(w, row);
    }
    return QS_OK;
}

static qs_status walk_all(const qs_data *data, walk *w, qs_error *err)
{
    const size_t labels = (data->outputs ? data->outputs : 1) * sizeof(float);
    double *const row = qs_calloc(w->features, sizeof *row);
    void *const x = qs_calloc(w->features, qs_dtype_bytes(data->x_type));
    void *const y = qs_calloc(1, labels);
    const qs_status status = row && x && y
                                 ? walk_rows(data, w, x, y, row, err)
                                 : qs_fail_memory(err, (double)w->features * 16, "a sample");
    qs_free(row);
    qs_free(x);
    qs_free(y);
    return status;
}

static void add_up(walk *w, const double *row)
{
    for (size_t f = 0; f < w->features; f++)
        w->a[f] += row[f];
}

static void add_deviation(walk *w, const double *row)
{
    for (size_t f = 0; f < w->features; f++)
        w->b[f] += (row[f] - w->a[f]) * (row[f] - w->a[f]);
}

static void widen(walk *w, const double *row)
{
    for (size_t f = 0; f < w->features; f++) {
        w->a[f] = fmin(w->a[f], row[f]);
        w->b[f] = fmax(w->b[f], row[f]);
    }
}

/* StandardScaler: population variance; what is constant but for rounding is not divided. */
static qs_status fit_standard(const qs_data *data, walk *w, qs_error *err)
{
    const double n = (double)fitted_rows(data);
    w->visit = add_up;
    QS_TRY(walk_all(data, w, err));
    for (size_t f = 0; f < w->features; f++)
        w->a[f] /= n;
    w->visit = add_deviation;
    QS_TRY(walk_all(data, w, err));
    for (size_t f = 0; f < w->features; f++) {
        const double variance = w->b[f] / n, slip = n * w->a[f] * DBL_EPSILON;
        const bool constant = variance <= n * DBL_EPSILON * variance + slip * slip;
        w->b[f] = constant ? 1 : sqrt(variance);
    }
    return QS_OK;
}

static qs_status fit_minmax(const qs_data *data, walk *w, qs_error *err)
{
    for (size_t f = 0; f < w->features; f++)
        w->a[f] = INFINITY, w->b[f] = -INFINITY;
    w->visit = widen;
    QS_TRY(walk_all(data, w, err));
    for (size_t f = 0; f < w->features; f++) {
        const double range = w->b[f] - w->a[f];
        w->b[f] = range < 10 * DBL_EPSILON ? 1 : range;
    }
    return QS_OK;
}

static qs_status fit_statistics(qs_data *data, size_t features, qs_error *err)
{
    walk w = {.features = features};
    w.a = QS_NEW_N(&data->store.arena, double, features);
    w.b = QS_NEW_N(&data->store.arena, double, features);
    if (!w.a || !w.b)
        return qs_fail_memory(err, 16 * (double)features, "statistics of the features");
    QS_TRY(is(data, "standard") ? fit_standard(data, &w, err) : fit_minmax(data, &w, err));
    data->shift = w.a;
    data->width = w.b;
    return QS_OK;
}

static qs_status take_statistics(qs_data *data, const qs_data *like, size_t features, qs_error *err)
{
    if (!like->shift || strcmp(like->scale, data->scale) != 0)
        return qs_fail(err, QS_E_ARG,
                       "%s is to be scaled by '%s' like %s, which is scaled by '%s'; scale both "
                       "the same way",
                       data->name, data->scale, like->name, like->scale);
    if (qs_shape_count(&like->sample) != features)
        return qs_fail(err, QS_E_SHAPE, "a sample of %s has %zu elements, one of %s has %zu",
                       data->name, features, like->name, qs_shape_count(&like->sample));
    double *const shift = QS_NEW_N(&data->store.arena, double, features);
    double *const width = QS_NEW_N(&data->store.arena, double, features);
    if (!shift || !width)
        return qs_fail_memory(err, 16 * (double)features, "statistics of the features");
    memcpy(shift, like->shift, features * sizeof *shift);
    memcpy(width, like->width, features * sizeof *width);
    data->shift = shift;
    data->width = width;
    return QS_OK;
}

/* ---- applying them ---- */

static qs_status affine(qs_data *data, size_t features, qs_error *err)
{
    float *const mul = QS_NEW_N(&data->store.arena, float, features);
    float *const add = QS_NEW_N(&data->store.arena, float, features);
    if (!mul || !add)
        return qs_fail_memory(err, 8 * (double)features, "statistics of the features");
    for (size_t f = 0; f < features; f++) {
        mul[f] = (float)(1 / data->width[f]);
        add[f] = (float)(-data->shift[f] / data->width[f]);
    }
    data->mul = mul;
    data->add = add;
    data->affine = features;
    return QS_OK;
}

/* x as f32, scaled where there are statistics. */
static qs_status rewrite(qs_data *data, size_t features, qs_error *err)
{
    void *block;
    double value[CHUNK];
    const qs_array x = {.data = data->x, .dtype = data->x_type};
    QS_TRY(qs_store_block(&data->store, data->rows * features, sizeof(float), "scaled samples",
                          &block, err));
    float *to = block;
    for (size_t i = 0; i < data->rows; i++)
        for (size_t at = 0; at < features; at += CHUNK) {
            const size_t m = features - at < CHUNK ? features - at : CHUNK;
            qs_array_doubles(&x, i * features + at, m, value);
            for (size_t f = 0; f < m; f++)
                *to++ = (float)(data->shift ? (value[f] - data->shift[at + f]) / data->width[at + f]
                                            : value[f]);
        }
    qs_store_drop(&data->store, data->x);
    data->x = block;
    data->x_type = QS_F32;
    return QS_OK;
}

static qs_status fit_by_feature(qs_data *data, const qs_data *like, qs_error *err)
{
    const size_t features = qs_shape_count(&data->sample);
    QS_TRY(like ? take_statistics(data, like, features, err) : fit_statistics(data, features, err));
    if (data->x && qs_dtype_bytes(data->x_type) > 1 && qs_store_fits(&data->store))
        return rewrite(data, features, err);
    return affine(data, features, err);
}

static qs_status fit_by_row(qs_data *data, qs_error *err)
{
    if (!data->x)
        return QS_OK;
    void *block;
    QS_TRY(qs_store_block(&data->store, data->rows, sizeof(float), "scale factors", &block, err));
    qs_scale_rows(data, data->x, data->rows, block);
    data->row_factor = block;
    return QS_OK;
}

qs_status qs_scale_fit(qs_data *data, const qs_data *like, qs_error *err)
{
    static const float unit = 1.0f / 255;
    if (is(data, "none"))
        return QS_OK;
    if (is(data, "unit")) {
        data->mul = &unit;
        data->affine = 1;
        return QS_OK;
    }
    if (qs_scale_by_row(data))
        return fit_by_row(data, err);
    return fit_by_feature(data, like, err);
}

qs_status qs_scale_narrow(qs_data *data, qs_error *err)
{
    if (!data->x || data->x_type != QS_F64)
        return QS_OK;
    return rewrite(data, qs_shape_count(&data->sample), err);
}
