/* SPDX-License-Identifier: MIT */
/* scale_test.c - scaling against what scikit-learn gave for the same numbers; splits. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "data/array.h"
#include "data/data.h"

enum { ROWS = 4, FEATURES = 4 };

static const double samples[] = {1, -2, 5, 7, 0, 0, 5, 0, 3, 4, 5, -1e3, 1e6, 1e6 + 1, 5, 2};
static const double others[] = {2, 2, 6, 1, -1, 0, 4, 0.5};

static const struct {
    const char *scale;
    double x[16];
} expected[] = {
    {"none", {1, -2, 5, 7, 0, 0, 5, 0, 3, 4, 5, -1e3, 1e6, 1e6 + 1, 5, 2}},
    {"unit",
     {1 / 255.0, -2 / 255.0, 5 / 255.0, 7 / 255.0, 0, 0, 5 / 255.0, 0, 3 / 255.0, 4 / 255.0,
      5 / 255.0, -1e3 / 255, 1e6 / 255, (1e6 + 1) / 255, 5 / 255.0, 2 / 255.0}},
    {"l1",
     {0.06666666666666667, -0.13333333333333333, 0.3333333333333333, 0.4666666666666667, 0.0, 0.0,
      1.0, 0.0, 0.0029644268774703555, 0.003952569169960474, 0.004940711462450593,
      -0.9881422924901185, 0.499998000008, 0.499998500006, 2.49999000004e-06,
      9.999960000159999e-07}},
    {"l2",
     {0.1125087900926024, -0.2250175801852048, 0.562543950463012, 0.7875615306482168, 0.0, 0.0, 1.0,
      0.0, 0.0029999250028123828, 0.003999900003749844, 0.004999875004687304, -0.999975000937461,
      0.7071064276281188, 0.7071071347345464, 3.535532138140594e-06, 1.4142128552562377e-06}},
    {"max",
     {0.14285714285714285, -0.2857142857142857, 0.7142857142857143, 1.0, 0.0, 0.0, 1.0, 0.0, 0.003,
      0.004, 0.005, -1.0, 0.999999000001, 1.0, 4.999995000005e-06, 1.999998000002e-06}},
    {"standard",
     {-0.5773510389892149, -0.5773564275832594, 0.0, 0.5865501375193225, -0.5773533483933708,
      -0.5773518087826456, 0.0, 0.570432960040872, -0.577346420180903, -0.5773425711814179, 0.0,
      -1.7320209654520522, 1.7320508075634886, 1.7320508075473229, 0.0, 0.5750378678918581}},
    {"minmax",
     {1e-06, 0.0, 0.0, 0.9999999999999999, 0.0, 1.999994000018e-06, 0.0, 0.9930486593843098, 3e-06,
      5.999982000054e-06, 0.0, 0.0, 1.0, 1.0, 0.0, 0.9950347567030784}},
};

static qs_data *wrap(const void *x, qs_dtype dtype, size_t rows, size_t features, const char *scale,
                     const qs_data *like)
{
    const qs_array array = {x, dtype, 2, {rows, features}};
    qs_data_options options = QS_DATA_OPTIONS;
    qs_data *data = NULL;
    qs_error err = {0};
    options.scale = scale;
    options.like = like;
    cr_assert_eq(qs_data_wrap(&array, NULL, NULL, &options, &data, &err), QS_OK, "%s", err.text);
    return data;
}

/* (x * mul + add) * row_factor, in f32 as kernels do it. */
static float value(const qs_data *data, size_t i, size_t features)
{
    const qs_array x = {.data = data->x, .dtype = data->x_type};
    const size_t f = data->affine > 1 ? i % features : 0;
    double stored;
    qs_array_doubles(&x, i, 1, &stored);
    float v = (float)stored;
    if (data->mul)
        v = v * data->mul[f] + (data->add ? data->add[f] : 0);
    return data->row_factor ? v * data->row_factor[i / features] : v;
}

Test(scale, values_are_those_of_scikit_learn)
{
    for (size_t s = 0; s < sizeof expected / sizeof *expected; s++) {
        qs_data *data = wrap(samples, QS_F64, ROWS, FEATURES, expected[s].scale, NULL);
        for (size_t i = 0; i < ROWS * FEATURES; i++)
            cr_assert_float_eq(value(data, i, FEATURES), expected[s].x[i],
                               3e-7 * fmax(1e-3, fabs(expected[s].x[i])), "%s: element %zu is %.9g",
                               expected[s].scale, i, (double)value(data, i, FEATURES));
        qs_data_close(data);
    }
}

Test(scale, statistics_come_from_the_other_set)
{
    static const double standard[] = {
        -0.5773487295850589, -0.5773471899820317, 1.0,  0.5727354139663648,
        -0.5773556577975268, -0.5773518087826456, -1.0, 0.5715841870036185};
    static const double minmax[] = {2e-06,  3.999988000036e-06, 1.0,  0.9940417080436941,
                                    -1e-06, 1.999994000018e-06, -1.0, 0.9935451837140019};
    static const struct {
        const char *scale;
        const double *x;
    } cases[] = {{"standard", standard}, {"minmax", minmax}};
    for (size_t c = 0; c < 2; c++) {
        qs_data *like = wrap(samples, QS_F64, ROWS, FEATURES, cases[c].scale, NULL);
        qs_data *data = wrap(others, QS_F64, 2, FEATURES, cases[c].scale, like);
        qs_data_close(like);
        for (size_t i = 0; i < 8; i++)
            cr_assert_float_eq(value(data, i, FEATURES), cases[c].x[i],
                               3e-7 * fmax(1e-3, fabs(cases[c].x[i])));
        qs_data_close(data);
    }
}

Test(scale, bytes_stay_bytes)
{
    static const unsigned char bytes[] = {0, 255, 10, 20, 30, 250};
    static const char *const all[] = {"none", "unit", "l1", "l2", "max", "standard", "minmax"};
    double mean[2] = {40 / 3.0, 175}, deviation[2];
    deviation[0] = sqrt((pow(mean[0], 2) + pow(10 - mean[0], 2) + pow(30 - mean[0], 2)) / 3);
    deviation[1] = sqrt((pow(80, 2) + pow(155, 2) + pow(75, 2)) / 3);
    for (size_t s = 0; s < 7; s++) {
        qs_data *data = wrap(bytes, QS_U8, 3, 2, all[s], NULL);
        cr_assert_eq(data->x, bytes);
        cr_assert_eq(data->x_type, QS_U8);
        for (size_t i = 0; s == 5 && i < 6; i++)
            cr_assert_float_eq(value(data, i, 2), (bytes[i] - mean[i % 2]) / deviation[i % 2],
                               2e-6);
        for (size_t i = 0; s == 3 && i < 6; i++)
            cr_assert_float_eq(value(data, i, 2),
                               bytes[i] / hypot(bytes[i / 2 * 2], bytes[i / 2 * 2 + 1]), 2e-7);
        qs_data_close(data);
    }
}

Test(scale, large_pictures_of_bytes_have_their_norm)
{
    static unsigned char bytes[2 * 70000];
    memset(bytes, 255, sizeof bytes);
    qs_data *data = wrap(bytes, QS_U8, 2, 70000, "l2", NULL);
    cr_assert_float_eq(data->row_factor[1] * 255 * sqrt(70000), 1, 1e-6);
    qs_data_close(data);
}

static void refused(const char *scale, const qs_data *like, size_t features, qs_status status,
                    const char *text)
{
    const qs_array array = {samples, QS_F64, 2, {2, features}};
    const qs_data_options options = {.bytes = sizeof options, .scale = scale, .like = like};
    qs_data *data = NULL;
    qs_error err = {0};
    cr_assert_eq(qs_data_wrap(&array, NULL, NULL, &options, &data, &err), status, "%s", err.text);
    cr_assert(strstr(err.text, text), "%s", err.text);
}

Test(scale, what_cannot_be_is_explained)
{
    qs_data *like = wrap(samples, QS_F64, ROWS, FEATURES, "minmax", NULL);
    refused("l3", NULL, 4, QS_E_ARG, "did you mean 'l1'");
    refused("standard", like, 4, QS_E_ARG, "is scaled by 'minmax'");
    refused("minmax", like, 3, QS_E_SHAPE, "has 3 elements, one of arrays has 4");
    qs_data_close(like);
}

/* ---- splits ---- */

static void expect_split(size_t rows, double fraction, size_t train)
{
    static unsigned char x[2000];
    qs_data *data = wrap(x, QS_U8, rows, 1, NULL, NULL), *a = NULL, *b = NULL;
    qs_error err = {0};
    cr_assert_eq(qs_data_split(data, fraction, &a, &b, &err), QS_OK, "%s", err.text);
    cr_assert_eq(a->rows, train);
    cr_assert_eq(b->rows, rows - train);
    cr_assert_eq(b->x, x + train);
    cr_assert_eq(b->first, train);
    qs_data_close(a);
    qs_data_close(b);
    qs_data_close(data);
}

Test(split, rounds_as_keras_does)
{
    expect_split(90, 0.3, 62);
    expect_split(1000, 0.07, 929);
    expect_split(10, 0.2, 8);
    expect_split(2, 0.5, 1);
}

Test(split, empty_parts_are_refused)
{
    static const double bad[] = {0, 1, -0.1, 1.5, 0.999, NAN};
    static unsigned char x[10];
    qs_data *data = wrap(x, QS_U8, 10, 1, NULL, NULL), *a = NULL, *b = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert_eq(qs_data_split(data, bad[i], &a, &b, NULL), QS_E_ARG, "%g", bad[i]);
    cr_assert_null(a);
    qs_data_close(data);
    qs_data_close(NULL);
}

Test(split, parts_keep_their_rows_factors_labels_and_weights)
{
    static const int32_t y[] = {0, 1, 2, 1};
    static const float w[] = {1, 2, 3, 4};
    const qs_array x = {samples, QS_F64, 2, {4, 4}}, labels = {y, QS_I32, 1, {4}},
                   weights = {w, QS_F32, 2, {4, 1}};
    const qs_data_options options = {.bytes = sizeof options, .scale = "l2"};
    qs_data *data = NULL, *a = NULL, *b = NULL, *c = NULL, *d = NULL;
    cr_assert_eq(qs_data_wrap(&x, &labels, &weights, &options, &data, NULL), QS_OK);
    cr_assert_eq(qs_data_split(data, 0.5, &a, &b, NULL), QS_OK);
    cr_assert_eq(qs_data_split(b, 0.5, &c, &d, NULL), QS_OK);
    cr_assert_eq(d->rows, 1);
    cr_assert_eq(d->first, 3);
    cr_assert_eq(*(const int32_t *)d->y, 1);
    cr_assert_eq(*d->weight, 4);
    for (size_t i = 0; i < 4; i++)
        cr_assert_float_eq(value(d, i, 4), expected[3].x[12 + i], 1e-7);
    qs_data_close(a);
    qs_data_close(b);
    qs_data_close(c);
    qs_data_close(d);
    qs_data_close(data);
}

Test(wrap, weights_and_labels_are_checked)
{
    static const float w[] = {1, NAN, 3, 4}, y[] = {1, 2, INFINITY, 0};
    const qs_array x = {samples, QS_F64, 2, {4, 4}}, weights = {w, QS_F32, 1, {4}},
                   labels = {y, QS_F32, 1, {4}}, none = {samples, QS_F64, 2, {0, 4}};
    qs_data *data = NULL;
    qs_error err = {0};
    cr_assert_eq(qs_data_wrap(&x, NULL, &weights, NULL, &data, &err), QS_E_DATA);
    cr_assert(strstr(err.text, "sample 1: the weight is nan"), "%s", err.text);
    cr_assert_eq(qs_data_wrap(&x, &labels, NULL, NULL, &data, &err), QS_E_DATA);
    cr_assert(strstr(err.text, "sample 2: the label is inf"), "%s", err.text);
    cr_assert_eq(qs_data_wrap(&none, NULL, NULL, NULL, &data, &err), QS_E_DATA);
}

Test(scale, statistics_leave_out_what_is_held_back)
{
    static const float x[] = {1, 3, 100, 200};
    const qs_array array = {x, QS_F32, 2, {4, 1}};
    qs_data_options options = QS_DATA_OPTIONS;
    qs_data *data = NULL;
    options.scale = "standard";
    options.held_back = 0.5;
    cr_assert_eq(qs_data_wrap(&array, NULL, NULL, &options, &data, NULL), QS_OK);
    cr_assert_float_eq(data->shift[0], 2, 1e-12); /* mean and deviation of 1 and 3 */
    cr_assert_float_eq(data->width[0], 1, 1e-12);
    qs_data_close(data);
    options.held_back = 1;
    cr_assert_eq(qs_data_wrap(&array, NULL, NULL, &options, &data, NULL), QS_E_ARG);
}
