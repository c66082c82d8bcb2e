/* SPDX-License-Identifier: MIT */
/* init_test.c - initial weights have the distributions that Keras drew (golden/initializers.json). */
#include "nn/init.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "specs.h"

static json_t *keras_statistics(void)
{
    char path[4096];
    const char *shared = getenv("QS_SHARED"), *source = getenv("QS_SOURCE");
    if (shared)
        snprintf(path, sizeof path, "%s/golden/initializers.json", shared);
    else
        snprintf(path, sizeof path, "%s/../shared/golden/initializers.json", source ? source : ".");
    json_t *list = json_load_file(path, 0, NULL);
    if (!list)
        cr_skip_test("%s is not there", path);
    return list;
}

static double real(const json_t *row, const char *key)
{
    return json_number_value(json_object_get(row, key));
}

typedef struct drawn {
    qs_shape shape;
    float *data;
    size_t n;
} drawn;

static drawn draw(const qs_spec *spec, const qs_shape *shape, uint64_t key)
{
    drawn d = {.shape = *shape, .n = qs_shape_count(shape)};
    qs_fill to = {.shape = shape, .key = key};
    qs_error err = {0};
    d.data = qs_calloc(d.n, sizeof *d.data);
    to.data = d.data;
    qs_fans(shape, &to.fan_in, &to.fan_out);
    cr_assert_eq(qs_initialize(spec, &to, &err), QS_OK, "%s", err.text);
    return d;
}

static int by_size(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Two samples of the same distribution: means and deviations within five standard errors of their
 * difference, bounds and quantiles within a share of the deviation. */
static void compare(const json_t *row, drawn *d, const char *name)
{
    const double std = real(row, "std"), n = (double)d->n;
    double sum = 0, squares = 0;
    for (size_t i = 0; i < d->n; i++) {
        sum += (double)d->data[i];
        squares += (double)d->data[i] * (double)d->data[i];
    }
    const double mean = sum / n, deviation = sqrt(squares / n - mean * mean);
    cr_expect(fabs(mean - real(row, "mean")) <= 5 * std * sqrt(2 / n), "%s: mean %g", name, mean);
    cr_expect(fabs(deviation - std) <= 5 * std * sqrt(2 / n), "%s: deviation %g, not %g", name,
              deviation, std);
    qsort(d->data, d->n, sizeof *d->data, by_size);
    static const struct {
        const char *key;
        double at;
    } quantiles[] = {{"q01", 0.01}, {"q25", 0.25}, {"q50", 0.5}, {"q75", 0.75}, {"q99", 0.99}};
    for (size_t q = 0; q < sizeof quantiles / sizeof *quantiles; q++) {
        const double got = (double)d->data[(size_t)(quantiles[q].at * (n - 1))];
        cr_expect(fabs(got - real(row, quantiles[q].key)) <= 0.05 * std, "%s: %s is %g, not %g",
                  name, quantiles[q].key, got, real(row, quantiles[q].key));
    }
    if (real(row, "max") < 2.5 * std) { /* there is a bound */
        cr_expect(fabs((double)d->data[d->n - 1] - real(row, "max")) <= 0.01 * real(row, "max"));
        cr_expect(fabs((double)d->data[0] - real(row, "min")) <= -0.01 * real(row, "min"));
    }
}

static qs_shape shape_of(const json_t *row)
{
    const json_t *dims = json_object_get(row, "shape");
    qs_shape shape = {.rank = (int)json_array_size(dims)};
    for (int i = 0; i < shape.rank; i++)
        shape.dim[i] = (size_t)json_integer_value(json_array_get(dims, (size_t)i));
    return shape;
}

Test(init, distributions_are_keras)
{
    qs_json_setup();
    json_t *list = keras_statistics(), *row;
    size_t i;
    qs_arena arena = {0};
    json_array_foreach (list, i, row) {
        const qs_spec *spec = NULL;
        qs_error err = {0};
        const char *name = json_string_value(json_object_get(row, "name"));
        cr_assert_eq(qs_spec_read(&arena, &qs_initializer_registry, json_object_get(row, "config"),
                                  &spec, &err),
                     QS_OK, "%s: %s", name, err.text);
        const qs_shape shape = shape_of(row);
        drawn d = draw(spec, &shape, 1000 + i);
        compare(row, &d, name);
        qs_free(d.data);
    }
}

/* Dot product of rows or columns a and b of a matrix, whichever is the shorter side. */
static double gram(const drawn *d, size_t a, size_t b)
{
    const size_t rows = d->shape.dim[0], cols = d->shape.dim[1];
    double sum = 0;
    for (size_t k = 0; k < (rows > cols ? rows : cols); k++)
        sum += rows > cols ? (double)d->data[k * cols + a] * (double)d->data[k * cols + b]
                           : (double)d->data[a * cols + k] * (double)d->data[b * cols + k];
    return sum;
}

static void check_orthogonal(const char *text, size_t rows, size_t cols, double gain)
{
    const qs_shape shape = {.rank = 2, .dim = {rows, cols}};
    drawn d = draw(spec_of(&qs_initializer_registry, text), &shape, 5);
    const size_t n = rows < cols ? rows : cols;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b <= a; b++)
            cr_assert_float_eq(gram(&d, a, b), a == b ? gain * gain : 0, 1e-6 * gain * gain,
                               "%s: %zu and %zu", text, a, b);
    qs_free(d.data);
}

Test(init, orthogonal_is)
{
    check_orthogonal("orthogonal", 40, 100, 1);
    check_orthogonal("orthogonal:gain=1.5", 100, 40, 1.5);
    check_orthogonal("orthogonal", 30, 30, 1);
}

Test(init, plain_ones)
{
    const qs_shape shape = {.rank = 2, .dim = {3, 4}};
    static const struct {
        const char *text;
        float diagonal, other;
    } cases[] = {{"zeros", 0, 0},
                 {"ones", 1, 1},
                 {"constant:0.25", 0.25f, 0.25f},
                 {"identity:gain=2", 2, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        drawn d = draw(spec_of(&qs_initializer_registry, cases[c].text), &shape, 1);
        for (size_t i = 0; i < d.n; i++)
            cr_assert_eq(d.data[i], i % 5 ? cases[c].other : cases[c].diagonal, "%s",
                         cases[c].text);
        qs_free(d.data);
    }
}

Test(init, families_are_variance_scaling)
{
    static const char *const same[][2] = {
        {"he_normal", "variance_scaling:scale=2"},
        {"lecun_uniform", "variance_scaling:distribution=uniform"},
        {"glorot_uniform", "variance_scaling:mode=fan_avg,distribution=uniform"},
    };
    const qs_shape shape = {.rank = 4, .dim = {3, 3, 4, 8}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        drawn a = draw(spec_of(&qs_initializer_registry, same[i][0]), &shape, 3);
        drawn b = draw(spec_of(&qs_initializer_registry, same[i][1]), &shape, 3);
        cr_expect_arr_eq(a.data, b.data, a.n * sizeof *a.data, "%s", same[i][0]);
        qs_free(a.data);
        qs_free(b.data);
    }
}

Test(init, the_key_decides)
{
    const qs_shape shape = {.rank = 1, .dim = {8}};
    const qs_spec *spec = spec_of(&qs_initializer_registry, "random_normal");
    drawn a = draw(spec, &shape, 1), b = draw(spec, &shape, 1), c = draw(spec, &shape, 2);
    cr_expect_arr_eq(a.data, b.data, 8 * sizeof(float));
    cr_expect_arr_neq(a.data, c.data, 8 * sizeof(float));
    qs_free(a.data);
    qs_free(b.data);
    qs_free(c.data);
}

Test(init, shapes_that_cannot_be)
{
    const qs_shape shape = {.rank = 1, .dim = {4}};
    float data[4];
    const qs_fill to = {.shape = &shape, .fan_in = 4, .fan_out = 4, .data = data};
    static const char *const names[] = {"identity", "orthogonal"};
    for (size_t i = 0; i < 2; i++) {
        qs_error err = {0};
        const qs_spec *spec = spec_of(&qs_initializer_registry, names[i]);
        cr_expect_eq(qs_initialize(spec, &to, &err), QS_E_SHAPE);
        cr_expect_not_null(strstr(err.text, "[4]"), "%s", err.text);
    }
}
