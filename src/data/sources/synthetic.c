/* SPDX-License-Identifier: MIT */
/* synthetic.c - made-up samples that can be learned: a centre for each class, and noise.
 *
 * Deterministic: row i of class c is centre[c] + noise, both from counters, so that the first rows
 * of a longer set are those of a shorter one.
 */
#include <stdint.h>
#include <string.h>

#include "base/number.h"
#include "base/rng.h"
#include "data/source.h"
#include "tensor/shape.h"

#define PREFIX "synthetic:"
enum { SEED = 20190705, MOST_CLASSES = 1000000 };
static const float noise = 1.0f; /* standard deviation; that of a centre's element is 0.5 */

static bool match(const char *spec)
{
    return strncmp(spec, PREFIX, strlen(PREFIX)) == 0 || strcmp(spec, "synthetic") == 0;
}

/* One number in [1, most] at *at, which moves past it. */
static bool take_number(const char **at, int64_t most, size_t *out)
{
    const size_t n = strspn(*at, "0123456789");
    int64_t x;
    if (!qs_integer_parse(*at, n, &x) || x < 1 || x > most)
        return false;
    *at += n;
    *out = (size_t)x;
    return true;
}

static bool take(const char **at, char c)
{
    const bool there = **at == c;
    *at += there;
    return there;
}

static bool parse(const char *spec, size_t *rows, qs_shape *sample, size_t *classes)
{
    const char *at = spec + strlen(PREFIX);
    sample->rank = 0;
    if (!take_number(&at, UINT32_MAX, rows) || !take(&at, ','))
        return false;
    do {
        if (sample->rank == QS_MAX_RANK - 1 ||
            !take_number(&at, INT64_MAX, &sample->dim[sample->rank++]))
            return false;
    } while (take(&at, 'x'));
    return take(&at, ',') && take_number(&at, MOST_CLASSES, classes) && !*at;
}

/* Nearly normal with standard deviation 1: four 16-bit numbers of one hash, summed. */
static float nearly_normal(uint64_t key, uint64_t i)
{
    const uint64_t bits = qs_random(key, i);
    const uint32_t sum = (uint32_t)(bits & 0xffff) + (uint32_t)(bits >> 16 & 0xffff) +
                         (uint32_t)(bits >> 32 & 0xffff) + (uint32_t)(bits >> 48);
    return ((float)sum - 131070.0f) * (1.0f / 37837.0f); /* sqrt(4 * 65536^2 / 12) */
}

static void fill(size_t rows, size_t features, size_t classes, float *x, int32_t *y)
{
    const uint64_t centres = qs_key(SEED, 1, 0), labels = qs_key(SEED, 2, 0);
    for (size_t i = 0; i < rows; i++) {
        const size_t c = (size_t)(qs_uniform(labels, i) * (double)classes);
        const uint64_t row = qs_key(SEED, 3, i), centre = qs_key(centres, c, 0);
        for (size_t f = 0; f < features; f++)
            x[i * features + f] = 0.5f * nearly_normal(centre, f) + noise * nearly_normal(row, f);
        y[i] = (int32_t)c;
    }
}

static qs_status open_made(const char *spec, qs_store *store, qs_parts *out, qs_error *err)
{
    size_t rows, classes;
    qs_shape sample;
    if (strcmp(spec, "synthetic") == 0 || !parse(spec, &rows, &sample, &classes))
        return qs_fail(err, QS_E_ARG,
                       "'%s' must be synthetic:N,SHAPE,CLASSES, such as "
                       "synthetic:10000,28x28x1,10",
                       spec);
    const size_t features = qs_shape_count(&sample);
    if (features > SIZE_MAX / sizeof(float) / rows)
        return qs_fail_memory(err, (double)features * (double)rows * sizeof(float), spec);
    void *x, *y;
    QS_TRY(qs_store_block(store, rows * features, sizeof(float), spec, &x, err));
    QS_TRY(qs_store_block(store, rows, sizeof(int32_t), spec, &y, err));
    fill(rows, features, classes, x, y);

    out->x = (qs_array){.data = x, .dtype = QS_F32, .rank = sample.rank + 1, .dim = {rows}};
    memcpy(out->x.dim + 1, sample.dim, (size_t)sample.rank * sizeof *sample.dim);
    out->y = (qs_array){.data = y, .dtype = QS_I32, .rank = 1, .dim = {rows}};
    return QS_OK;
}

const qs_source_kind qs_source_synthetic = {
    .name = "synthetic",
    .form = "synthetic:N,SHAPE,CLASSES",
    .help = "N made-up samples that can be learned, such as synthetic:10000,28x28x1,10",
    .match = match,
    .open = open_made,
};
