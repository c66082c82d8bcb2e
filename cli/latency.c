/* SPDX-License-Identifier: MIT */
/* latency.c - how long one sample takes, and how long it must take at least. */
#include "latency.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "report.h"

enum { WARM_UP = 20 };

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static uint64_t sum_words(const float *values, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t word;
        memcpy(&word, values + i, sizeof word);
        sum += word;
    }
    return sum;
}

/* One pass over every weight: what any predictor has to read. */
static uint64_t read_weights(const qs_model *model)
{
    uint64_t sum = 0;
    qs_weight_info w;
    for (size_t i = 0; i < qs_model_weights(model); i++) {
        if (qs_model_weight(model, i, &w, NULL) != QS_OK || !w.data)
            continue;
        size_t n = 1;
        for (int d = 0; d < w.rank; d++)
            n *= w.shape[d];
        sum += sum_words(w.data, n);
    }
    return sum;
}

static double floor_us(const qs_model *model, double *times, size_t n)
{
    static volatile uint64_t kept; /* so that the reading is not optimised away */
    for (size_t i = 0; i < n; i++) {
        const double begin = clock_now();
        kept += read_weights(model);
        times[i] = 1e6 * (clock_now() - begin);
    }
    qsort(times, n, sizeof *times, compare);
    return times[n / 2];
}

static size_t sample_size(const qs_model *model, qs_array *x)
{
    size_t shape[QS_MAX_RANK], n = 1;
    int rank;
    qs_model_input(model, &rank, shape);
    x->rank = rank + 1 <= QS_MAX_RANK ? rank + 1 : QS_MAX_RANK;
    x->dim[0] = 1;
    for (int i = 1; i < x->rank; i++) {
        x->dim[i] = shape[i - 1];
        n *= shape[i - 1];
    }
    return n;
}

static qs_status time_predictions(qs_trainer *trainer, const qs_array *x, float *y, double *times,
                                  size_t n, qs_error *err)
{
    for (size_t i = 0; i < n + WARM_UP; i++) {
        const double begin = clock_now();
        const qs_status s = qs_trainer_predict(trainer, x, y, err);
        if (s != QS_OK)
            return s;
        if (i >= WARM_UP)
            times[i - WARM_UP] = 1e6 * (clock_now() - begin);
    }
    return QS_OK;
}

qs_status latency_measure(const qs_model *model, qs_trainer *trainer, size_t n, latency *out,
                          qs_error *err)
{
    qs_array x = {.dtype = QS_F32};
    const size_t inputs = sample_size(model, &x);
    float *sample = calloc(inputs, sizeof *sample);
    float *y = calloc(qs_model_outputs(model), sizeof *y);
    double *times = calloc(n, sizeof *times);
    qs_status s =
        sample && y && times ? QS_OK : fail(err, QS_E_NOMEM, "--latency %zu: out of memory", n);
    x.data = sample;
    for (size_t i = 0; sample && i < inputs; i++)
        sample[i] = (float)(i % 17) / 16;
    if (s == QS_OK)
        s = time_predictions(trainer, &x, y, times, n, err);
    if (s == QS_OK) {
        qsort(times, n, sizeof *times, compare);
        out->median = times[n / 2];
        out->p99 = times[n - 1 - n / 100];
        out->floor = floor_us(model, times, n);
    }
    free(sample);
    free(y);
    free(times);
    return s;
}
