/* SPDX-License-Identifier: MIT */
/* metric.c - the registry of metrics. */
#include "nn/metric.h"

#define QS_KIND(name) extern const qs_metric_kind qs_metric_##name;
#include "nn/metrics.def"
#undef QS_KIND

static const qs_kind *const kinds[] = {
#define QS_KIND(name) &qs_metric_##name.kind,
#include "nn/metrics.def"
#undef QS_KIND
    NULL,
};

const qs_registry qs_metric_registry = {"metrics", "metric", "keras.metrics", kinds};

const qs_metric_kind *qs_metric_resolve(const qs_metric_kind *metric, size_t outputs)
{
    if (metric != &qs_metric_accuracy)
        return metric;
    return outputs == 1 ? &qs_metric_binary_accuracy : &qs_metric_categorical_accuracy;
}

double qs_metric_value(const qs_metric_kind *metric, const double sum[2])
{
    if (sum[1] == 0)
        return 0;
    return metric->finish ? metric->finish(sum) : sum[0] / sum[1];
}
