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

static volatile uint64_t kept; /* so that the reading is not optimised away */

static double floor_us(const qs_model *model, double *times, size_t n)
{
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

/* Memory for n measurements. */
typedef struct room {
    float *sample, *y;
    double *times; /* [n] */
} room;

static int room_alloc(room *r, size_t inputs, size_t outputs, size_t n)
{
    r->sample = calloc(inputs, sizeof *r->sample);
    r->y = calloc(outputs, sizeof *r->y);
    r->times = calloc(n, sizeof *r->times);
    if (!r->sample || !r->y || !r->times)
        return 0;
    for (size_t i = 0; i < inputs; i++)
        r->sample[i] = (float)(i % 17) / 16;
    return 1;
}

static qs_status measure(const qs_model *model, qs_trainer *trainer, const qs_array *x, size_t n,
                         const room *r, latency *out, qs_error *err)
{
    const qs_status s = time_predictions(trainer, x, r->y, r->times, n, err);
    if (s != QS_OK)
        return s;
    qsort(r->times, n, sizeof *r->times, compare);
    out->median = r->times[n / 2];
    out->p99 = r->times[n - 1 - n / 100];
    out->floor = floor_us(model, r->times, n);
    return QS_OK;
}

qs_status latency_measure(const qs_model *model, qs_trainer *trainer, size_t n, latency *out,
                          qs_error *err)
{
    room r = {0};
    qs_array x = {.dtype = QS_F32};
    const size_t inputs = sample_size(model, &x);
    qs_status s;
    if (room_alloc(&r, inputs, qs_model_outputs(model), n)) {
        x.data = r.sample;
        s = measure(model, trainer, &x, n, &r, out, err);
    } else {
        s = fail(err, QS_E_NOMEM, "--latency %zu: out of memory", n);
    }
    free(r.sample);
    free(r.y);
    free(r.times);
    return s;
}
