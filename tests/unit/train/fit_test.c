/* SPDX-License-Identifier: MIT */
/* fit_test.c - sets that do not fit a model are refused with the numbers. */
#include "train/fit.h"

#include <criterion/criterion.h>
#include <string.h>

static const uint8_t labels[] = {0, 1, 2, 1};
static const float numbers[8];

static qs_model *model_of(const char *layer)
{
    const size_t shape[] = {6};
    qs_model *model = NULL;
    const qs_spec *spec;
    cr_assert_eq(qs_model_create(shape, 1, &model, NULL), QS_OK);
    cr_assert_eq(qs_spec_parse(&model->arena, &qs_layer_registry, layer, &spec, NULL), QS_OK);
    cr_assert_eq(qs_model_add_spec(model, spec, NULL, true, NULL), QS_OK);
    return model;
}

static qs_data set_of(const qs_shape *sample)
{
    static char name[] = "a.npz";
    return (qs_data){
        .name = name, .rows = 4, .sample = *sample, .y = labels, .y_type = QS_U8, .classes = 3};
}

static const qs_shape six = {1, {6}}, two_by_three = {2, {2, 3}}, seven = {1, {7}};

static qs_status check(const char *layer, const qs_data *data, qs_error *err)
{
    qs_model *model = model_of(layer);
    const qs_status status = qs_fit_check(model, data, "training", err);
    qs_model_close(model);
    return status;
}

Test(fit, equal_counts_of_elements_fit)
{
    const qs_data flat = set_of(&six), square = set_of(&two_by_three);
    cr_assert_eq(check("dense:units=3", &flat, NULL), QS_OK);
    cr_assert_eq(check("dense:units=3", &square, NULL), QS_OK);
}

Test(fit, other_shapes_are_refused_with_both)
{
    const qs_data data = set_of(&seven);
    qs_error err;
    cr_assert_eq(check("dense:units=3", &data, &err), QS_E_SHAPE);
    cr_assert_not_null(strstr(err.text, "[7]"), "%s", err.text);
    cr_assert_not_null(strstr(err.text, "[6]"), "%s", err.text);
}

Test(fit, a_label_out_of_range_is_named_with_its_row)
{
    const qs_data data = set_of(&six);
    qs_error err;
    cr_assert_eq(check("dense:units=2", &data, &err), QS_E_DATA);
    cr_assert_not_null(strstr(err.text, "row 2"), "%s", err.text);
    cr_assert_not_null(strstr(err.text, "0 to 1"), "%s", err.text);
}

Test(fit, a_negative_label_is_refused)
{
    static const int64_t below[] = {0, 1, 1, -1};
    qs_data data = set_of(&six);
    qs_error err;
    data.y = below;
    data.y_type = QS_I64;
    cr_assert_eq(check("dense:units=3", &data, &err), QS_E_DATA);
    cr_assert_not_null(strstr(err.text, "row 3"), "%s", err.text);
}

Test(fit, one_output_takes_any_integers)
{
    const qs_data data = set_of(&six);
    cr_assert_eq(check("dense:units=1", &data, NULL), QS_OK);
}

Test(fit, rows_of_numbers_must_be_as_wide_as_the_output)
{
    qs_data data = set_of(&six);
    qs_error err;
    data.y = numbers;
    data.y_type = QS_F32;
    data.outputs = 2;
    cr_assert_eq(check("dense:units=2", &data, NULL), QS_OK);
    cr_assert_eq(check("dense:units=3", &data, &err), QS_E_SHAPE);
}

Test(fit, no_rows_and_no_labels_are_refused)
{
    qs_data data = set_of(&six);
    data.rows = 0;
    cr_assert_eq(check("dense:units=3", &data, NULL), QS_E_DATA);
    data = set_of(&six);
    data.y = NULL;
    cr_assert_eq(check("dense:units=3", &data, NULL), QS_E_DATA);
}

Test(fit, a_class_that_only_the_training_rows_have_is_found)
{
    static const uint8_t first[] = {0, 1, 0, 0};
    const qs_data train = set_of(&six);
    qs_data valid = set_of(&six);
    cr_assert_eq(qs_fit_missing_class(&train, &valid), -1);
    valid.y = first;
    cr_assert_eq(qs_fit_missing_class(&train, &valid), 2);
}
