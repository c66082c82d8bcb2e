/* SPDX-License-Identifier: MIT */
/* class_weight.c - "0=1.0,1=2.5" as one factor for each class. */
#include "train/class_weight.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

static qs_status parse_one(const char *text, size_t n, float *weight, size_t classes, qs_error *err)
{
    const char *equals = memchr(text, '=', n);
    const size_t key = equals ? (size_t)(equals - text) : n;
    int64_t class;
    double value;
    if (!equals || !qs_integer_parse(text, key, &class) ||
        !qs_number_parse(equals + 1, n - key - 1, &value))
        return qs_fail(err, QS_E_ARG,
                       "class weights: '%.*s' is not CLASS=WEIGHT; write it as in 0=1.0,1=2.5",
                       (int)n, text);
    if (class < 0 || (uint64_t) class >= classes)
        return qs_fail(err, QS_E_ARG, "class weights: there is no class %lld; classes are 0 to %zu",
                       (long long)class, classes - 1);
    if (!isnan(weight[class]))
        return qs_fail(err, QS_E_ARG, "class weights: class %lld is given twice; leave one out",
                       (long long)class);
    if (!isfinite(value) || value < 0)
        return qs_fail(err, QS_E_ARG, "class weights: class %lld weighs %g; a weight must be >= 0",
                       (long long)class, value);
    weight[class] = (float)value;
    return QS_OK;
}

qs_status qs_class_weight_parse(const char *text, float *weight, size_t classes, qs_error *err)
{
    for (size_t i = 0; i < classes; i++)
        weight[i] = NAN; /* not given */
    for (size_t n; *text; text += n + (text[n] == ',')) {
        n = strcspn(text, ",");
        QS_TRY(parse_one(text, n, weight, classes, err));
    }
    for (size_t i = 0; i < classes; i++)
        if (isnan(weight[i]))
            weight[i] = 1;
    return QS_OK;
}
