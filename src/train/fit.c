/* SPDX-License-Identifier: MIT */
/* fit.c - whether a set of samples fits a model. */
#include "train/fit.h"

#include <math.h>
#include <stdint.h>

#include "base/alloc.h"

enum { MOST_CLASSES = 1000000 }; /* more are numbers to predict, not classes */

static qs_status check_samples(const qs_model *model, const qs_data *data, const char *part,
                               qs_error *err)
{
    char have[QS_SHAPE_TEXT], want[QS_SHAPE_TEXT];
    if (!data->rows)
        return qs_fail(err, QS_E_DATA, "%s data: %s has no rows; give a set with at least one",
                       part, data->name);
    if (qs_shape_count(&data->sample) != qs_shape_count(&model->input))
        return qs_fail(err, QS_E_SHAPE,
                       "%s data: a sample of %s is %s (%zu numbers), the model takes %s (%zu); "
                       "change the model's input or the data",
                       part, data->name, qs_shape_text(&data->sample, have),
                       qs_shape_count(&data->sample), qs_shape_text(&model->input, want),
                       qs_shape_count(&model->input));
    return QS_OK;
}

static int64_t label_at(const qs_data *data, size_t row)
{
    switch (data->y_type) {
    case QS_U8:
        return ((const uint8_t *)data->y)[row];
    case QS_I8:
        return ((const int8_t *)data->y)[row];
    case QS_I16:
        return ((const int16_t *)data->y)[row];
    case QS_U16:
        return ((const uint16_t *)data->y)[row];
    case QS_I32:
        return ((const int32_t *)data->y)[row];
    case QS_U32:
        return ((const uint32_t *)data->y)[row];
    case QS_I64:
        return ((const int64_t *)data->y)[row];
    case QS_F32:
    case QS_F64:
        break;
    }
    return 0;
}

/* One output takes integers as they are (0 and 1, or any for a regression); more are classes. */
static qs_status check_classes(size_t outputs, const qs_data *data, const char *part, qs_error *err)
{
    if (outputs < 2)
        return QS_OK;
    if (!data->y) {
        if (data->classes > outputs)
            return qs_fail(err, QS_E_DATA,
                           "%s data: %s has %zu classes, the model %zu outputs; give the last "
                           "layer as many units as there are classes",
                           part, data->name, data->classes, outputs);
        return QS_OK;
    }
    for (size_t i = 0; i < data->rows; i++) {
        const int64_t label = label_at(data, i);
        if (label < 0 || (uint64_t)label >= outputs)
            return qs_fail(err, QS_E_DATA,
                           "%s data: the label of row %zu of %s is %lld, but the model has %zu "
                           "outputs; labels must be 0 to %zu",
                           part, data->first + i, data->name, (long long)label, outputs,
                           outputs - 1);
    }
    return QS_OK;
}

/* Labels that are one number a row, where classes are wanted: the first that is none. */
static qs_status check_numbers(size_t outputs, const qs_data *data, const char *part, qs_error *err)
{
    for (size_t i = 0; i < data->rows; i++) {
        const double label = (double)((const float *)data->y)[i];
        if (label < 0 || label != floor(label))
            return qs_fail(err, QS_E_DATA,
                           "%s data: the label of row %zu of %s is %g, but the model has %zu "
                           "outputs; labels must be whole numbers from 0 to %zu",
                           part, data->first + i, data->name, label, outputs, outputs - 1);
    }
    return QS_OK;
}

qs_status qs_fit_check(const qs_model *model, const qs_data *data, const char *part, qs_error *err)
{
    const size_t outputs = qs_model_outputs(model);
    QS_TRY(check_samples(model, data, part, err));
    if (!data->y && !data->source.read)
        return qs_fail(err, QS_E_DATA, "%s data: %s has no labels; add y", part, data->name);
    if (!data->outputs && qs_model_classes(model) != outputs)
        return qs_fail(err, QS_E_SHAPE,
                       "%s data: %s has one class a sample, the model's output is [%zu, %zu]: a "
                       "class for each of its rows; put a flatten before the last dense layer",
                       part, data->name, outputs / qs_model_classes(model),
                       qs_model_classes(model));
    if (!data->outputs)
        return check_classes(outputs, data, part, err);
    if (data->y && data->outputs == 1 && outputs > 1)
        QS_TRY(check_numbers(outputs, data, part, err));
    if (data->outputs != outputs)
        return qs_fail(err, QS_E_SHAPE,
                       "%s data: a label of %s is [%zu], the model's output [%zu]; change the last "
                       "layer or the labels",
                       part, data->name, data->outputs, outputs);
    return QS_OK;
}

static void mark(const qs_data *data, unsigned char *seen, size_t classes)
{
    for (size_t i = 0; i < data->rows; i++) {
        const int64_t label = label_at(data, i);
        if (label >= 0 && (uint64_t)label < classes)
            seen[label] = 1;
    }
}

long long qs_fit_missing_class(const qs_data *some, const qs_data *other)
{
    const size_t classes = some->classes;
    if (!some->y || !other->y || some->outputs || other->outputs || !classes ||
        classes > MOST_CLASSES)
        return -1;
    unsigned char *seen = qs_calloc(2 * classes, 1);
    if (!seen)
        return -1;
    mark(some, seen, classes);
    mark(other, seen + classes, classes);
    long long missing = -1;
    for (size_t i = 0; i < classes && missing < 0; i++)
        if (seen[i] && !seen[classes + i])
            missing = (long long)i;
    qs_free(seen);
    return missing;
}
