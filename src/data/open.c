/* SPDX-License-Identifier: MIT */
/* open.c - sets of samples: from a spec, from arrays, from a caller's source. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/array.h"
#include "data/labels.h"
#include "data/scale.h"
#include "data/source.h"
#include "data/spec_text.h"

enum { CHUNK = 256 };

static qs_status read_options(const qs_data_options *options, qs_data *data, const qs_data **like,
                              qs_error *err)
{
    static const qs_data_options preset = QS_DATA_OPTIONS;
    qs_data_options all = preset;
    if (options)
        memcpy(&all, options, options->bytes < sizeof all ? options->bytes : sizeof all);
    *like = all.like;
    if (!(all.held_back >= 0 && all.held_back < 1))
        return qs_fail(err, QS_E_ARG, "a fraction of %g cannot be held back; 0 up to 1 can",
                       all.held_back);
    data->held_back = all.held_back;
    return qs_scale_name(all.scale, &data->scale, err);
}

/* NULL: no memory. */
static qs_data *new_set(const char *name, qs_error *err)
{
    qs_data *const data = qs_calloc(1, sizeof *data);
    if (data)
        data->name = qs_spec_copy(&data->store.arena, name, strlen(name));
    if (data && data->name)
        return data;
    qs_data_close(data);
    (void)qs_fail_memory(err, sizeof *data, "a set of samples");
    return NULL;
}

/* ---- arrays ---- */

/* The first element that f32 cannot hold is refused with its place. */
static qs_status check_finite(const qs_data *data, size_t features, qs_error *err)
{
    const qs_array x = {.data = data->x, .dtype = data->x_type};
    const size_t count = data->rows * features;
    double value[CHUNK];
    char text[QS_NUMBER_TEXT];
    if (x.dtype != QS_F32 && x.dtype != QS_F64)
        return QS_OK;
    for (size_t at = 0; at < count; at += CHUNK) {
        const size_t n = count - at < CHUNK ? count - at : CHUNK;
        bool good = true;
        qs_array_doubles(&x, at, n, value);
        for (size_t i = 0; i < n; i++)
            good &= fabs(value[i]) <= FLT_MAX;
        for (size_t i = 0; !good && i < n; i++)
            if (!(fabs(value[i]) <= FLT_MAX))
                return qs_fail(err, QS_E_DATA,
                               "sample %zu holds %s (element %zu of %zu); remove or repair it",
                               (at + i) / features, qs_number_text(value[i], text),
                               (at + i) % features, features);
    }
    return QS_OK;
}

static qs_status set_samples(qs_data *data, const qs_array *x, qs_error *err)
{
    if (!x->data || x->rank < 1 || x->rank > QS_MAX_RANK || !qs_dtype_bytes(x->dtype))
        return qs_fail(err, QS_E_SHAPE, "samples must be an array of 1 to %d axes, not %d",
                       QS_MAX_RANK, x->rank);
    if (x->dim[0] == 0)
        return qs_fail(err, QS_E_DATA, "there are no samples; the first axis is 0");
    if (x->dim[0] > UINT32_MAX)
        return qs_fail(err, QS_E_UNSUPPORTED, "%zu samples; at most %u can be indexed", x->dim[0],
                       UINT32_MAX);
    data->rows = x->dim[0];
    data->sample.rank = x->rank > 1 ? x->rank - 1 : 1;
    data->sample.dim[0] = 1;
    memcpy(data->sample.dim, x->dim + 1, (size_t)(x->rank - 1) * sizeof *x->dim);
    const size_t features = qs_shape_count(&data->sample);
    if (features == 0 || features > SIZE_MAX / 8 / data->rows)
        return qs_fail(err, QS_E_SHAPE, "a sample of %zu elements cannot be used", features);
    data->x = x->data;
    data->x_type = x->dtype;
    return check_finite(data, features, err);
}

static qs_status finish(qs_data *data, const qs_parts *parts, const qs_data *like, qs_error *err)
{
    QS_TRY(set_samples(data, &parts->x, err));
    QS_TRY(qs_labels_read(data, parts, like, err));
    QS_TRY(qs_weights_read(data, &parts->w, err));
    QS_TRY(qs_scale_fit(data, like, err));
    if (parts->narrow)
        QS_TRY(qs_scale_narrow(data, err));
    data->test = parts->test;
    return QS_OK;
}

static qs_status open_spec(qs_data *data, const char *spec, const qs_data_options *options,
                           qs_error *err)
{
    const qs_source_kind *kind;
    const qs_data *like;
    qs_parts parts = {0};
    QS_TRY(read_options(options, data, &like, err));
    QS_TRY(qs_source_find(spec, &kind, err));
    QS_TRY(kind->open(spec, &data->store, &parts, err));
    return qs_context(err, finish(data, &parts, like, err), "%s", spec);
}

qs_status qs_data_open(const char *spec, const qs_data_options *options, qs_data **out,
                       qs_error *err)
{
    const size_t refusals = qs_alloc_refusals();
    if (!spec || !*spec)
        return qs_fail(err, QS_E_ARG, "no data set is named");
    qs_data *const data = new_set(spec, err);
    if (!data)
        return QS_E_NOMEM;
    const qs_status status =
        qs_memory_verdict(refusals, open_spec(data, spec, options, err), spec, err);
    if (status != QS_OK) {
        qs_data_close(data);
        return status;
    }
    *out = data;
    return QS_OK;
}

qs_status qs_data_wrap(const qs_array *x, const qs_array *y, const qs_array *w,
                       const qs_data_options *options, qs_data **out, qs_error *err)
{
    static const qs_array none;
    const qs_parts parts = {.x = x ? *x : none, .y = y ? *y : none, .w = w ? *w : none};
    const qs_data *like;
    qs_data *const data = new_set("arrays", err);
    if (!data)
        return QS_E_NOMEM;
    qs_status status = read_options(options, data, &like, err);
    if (status == QS_OK)
        status = qs_context(err, finish(data, &parts, like, err), "arrays");
    if (status != QS_OK) {
        qs_data_close(data);
        return status;
    }
    *out = data;
    return QS_OK;
}

/* ---- a source of the caller's own ---- */

static qs_status check_source(const qs_source *source, qs_error *err)
{
    if (!source->read)
        return qs_fail(err, QS_E_ARG, "a source needs read()");
    if (source->rows == 0 || source->rows > UINT32_MAX)
        return qs_fail(err, QS_E_DATA, "a source of %zu rows; 1 to %u can be used", source->rows,
                       UINT32_MAX);
    if (source->rank < 1 || source->rank > QS_MAX_RANK || !qs_dtype_bytes(source->dtype))
        return qs_fail(err, QS_E_SHAPE, "a source's samples must have 1 to %d axes, not %d",
                       QS_MAX_RANK, source->rank);
    if (source->outputs == 0 && source->classes == 0)
        return qs_fail(err, QS_E_ARG, "a source must say how many outputs or classes it has");
    return QS_OK;
}

static qs_status open_source(qs_data *data, const qs_source *source, const qs_data_options *options,
                             qs_error *err)
{
    const qs_data *like;
    memcpy(&data->source, source,
           source->bytes < sizeof *source ? source->bytes : sizeof data->source);
    QS_TRY(check_source(&data->source, err));
    QS_TRY(read_options(options, data, &like, err));
    data->rows = source->rows;
    data->sample.rank = source->rank;
    memcpy(data->sample.dim, source->shape, sizeof data->sample.dim);
    data->x_type = source->dtype;
    data->outputs = source->outputs;
    data->classes = source->outputs ? 0 : source->classes;
    data->y_type = source->outputs ? QS_F32 : QS_I32;
    const size_t features = qs_shape_count(&data->sample);
    if (features == 0 || features > SIZE_MAX / 8 / data->rows)
        return qs_fail(err, QS_E_SHAPE, "a sample of %zu elements cannot be used", features);
    if (like && like->class_name && like->named == data->classes)
        QS_TRY(qs_labels_name_like(data, like, err));
    return qs_scale_fit(data, like, err);
}

qs_status qs_data_custom(const qs_source *source, const qs_data_options *options, qs_data **out,
                         qs_error *err)
{
    qs_data *const data = new_set("own source", err);
    if (!data)
        return QS_E_NOMEM;
    const qs_status status = qs_context(err, open_source(data, source, options, err), "own source");
    if (status != QS_OK) {
        qs_data_close(data);
        return status;
    }
    *out = data;
    return QS_OK;
}

void qs_data_close(qs_data *data)
{
    if (!data)
        return;
    qs_store_free(&data->store);
    qs_free(data);
}
