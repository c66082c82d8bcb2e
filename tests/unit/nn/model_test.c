/* SPDX-License-Identifier: MIT */
/* model_test.c - layers get the names, shapes and weights that Keras gives them. */
#include "nn/model.h"

#include <criterion/criterion.h>
#include <string.h>

static qs_model *make(size_t a, size_t b)
{
    qs_model *model = NULL;
    const size_t shape[] = {a, b};
    cr_assert_eq(qs_model_create(shape, b ? 2 : 1, &model, NULL), QS_OK);
    return model;
}

static void add(qs_model *model, const char *layer, const char *options)
{
    qs_error err = {0};
    cr_assert_eq(qs_model_add(model, layer, options, &err), QS_OK, "%s", err.text);
}

static void check_weight(const qs_model *model, size_t index, const char *name, size_t count)
{
    qs_weight_info info;
    cr_assert_eq(qs_model_weight(model, index, &info, NULL), QS_OK, "no weight %zu", index);
    size_t n = 1;
    for (int i = 0; i < info.rank; i++)
        n *= info.shape[i];
    cr_expect_str_eq(info.name, name);
    cr_expect_eq(n, count, "%s has %zu numbers, not %zu", name, n, count);
}

Test(model, names_count_within_their_class)
{
    qs_model *model = make(4, 0);
    const char *const want[] = {"dense", "re_lu", "dense_1", "leaky_re_lu", "p_re_lu", "mine"};
    add(model, "dense", "{units: 3}");
    add(model, "relu", NULL);
    add(model, "Dense", "{units: 2}");
    add(model, "leaky_relu", "0.1");
    add(model, "prelu", NULL);
    add(model, "dense", "{units: 2, name: mine, trainable: false}");
    for (size_t i = 0; i < 6; i++) {
        qs_layer_info info;
        cr_assert_eq(qs_model_layer(model, i, &info, NULL), QS_OK);
        cr_expect_str_eq(info.name, want[i]);
        cr_expect_eq(info.trainable, i != 5);
    }
    cr_expect_eq(qs_model_params(model), 4 * 3 + 3 + 3 * 2 + 2 + 2 + 2 * 2 + 2);
    cr_expect_eq(qs_model_outputs(model), 2u);
    qs_model_close(model);
}

/* Keras 3.15.1: model.weights of the same layers. */
Test(model, weights_are_in_get_weights_order)
{
    qs_model *model = make(3, 4);
    add(model, "normalization", NULL);
    add(model, "dense", "{units: 5, use_bias: false}");
    add(model, "batch_normalization", NULL);
    add(model, "layer_normalization", "{center: false}");
    add(model, "prelu", "{shared_axes: [1]}");
    const struct {
        const char *name;
        size_t count;
        int trainable;
    } want[] = {
        {"normalization/mean", 4, 0},
        {"normalization/variance", 4, 0},
        {"normalization/count", 1, 0},
        {"dense/kernel", 20, 1},
        {"batch_normalization/gamma", 5, 1},
        {"batch_normalization/beta", 5, 1},
        {"batch_normalization/moving_mean", 5, 0},
        {"batch_normalization/moving_variance", 5, 0},
        {"layer_normalization/gamma", 5, 1},
        {"p_re_lu/alpha", 5, 1},
    };
    const size_t n = sizeof want / sizeof *want;
    cr_assert_eq(qs_model_weights(model), n);
    for (size_t i = 0; i < n; i++) {
        qs_weight_info info;
        check_weight(model, i, want[i].name, want[i].count);
        qs_model_weight(model, i, &info, NULL);
        cr_expect_eq(info.trainable, want[i].trainable, "%s", want[i].name);
    }
    qs_model_close(model);
}

Test(model, reshape_fills_the_open_axis)
{
    qs_model *model = make(3, 4);
    qs_layer_info info;
    add(model, "reshape", "[2, -1]");
    cr_assert_eq(qs_model_layer(model, 0, &info, NULL), QS_OK);
    cr_expect_eq(info.rank, 2);
    cr_expect_eq(info.output[1], 6u);
    cr_expect_eq(qs_model_add(model, "reshape", "[5, -1]", NULL), QS_E_SHAPE);
    cr_expect_eq(qs_model_add(model, "reshape", "[-1, -1]", NULL), QS_E_SHAPE);
    cr_expect_eq(qs_model_layers(model), 1u, "a refused layer must leave nothing");
    qs_model_close(model);
}

Test(model, other_axes_than_the_last_are_refused)
{
    qs_model *model = make(3, 4);
    const char *const layers[] = {"batch_normalization", "layer_normalization", "softmax"};
    for (int i = 0; i < 3; i++) {
        qs_error err = {0};
        cr_expect_eq(qs_model_add(model, layers[i], "{axis: 1}", &err), QS_E_UNSUPPORTED);
        cr_expect_not_null(strstr(err.text, "axis 1 is not supported"), "%s", err.text);
        cr_expect_eq(qs_model_add(model, layers[i], "{axis: 2}", &err), QS_OK, "%s", err.text);
    }
    qs_model_close(model);
}

Test(model, same_seed_same_weights_whatever_comes_after)
{
    qs_model *a = make(4, 0), *b = make(4, 0);
    add(a, "dense", "{units: 3}");
    add(b, "dense", "{units: 3}");
    add(b, "dense", "{units: 7}");
    cr_assert_eq(qs_model_init(a, 5, NULL), QS_OK);
    cr_assert_eq(qs_model_init(b, 5, NULL), QS_OK);
    qs_weight_info x, y;
    qs_model_weight(a, 0, &x, NULL);
    qs_model_weight(b, 0, &y, NULL);
    cr_expect_arr_eq(x.data, y.data, 12 * sizeof(float));
    qs_model_weight(b, 2, &y, NULL);
    cr_expect_neq(memcmp(x.data, y.data, 12 * sizeof(float)), 0, "layers share their numbers");
    qs_model_close(a);
    qs_model_close(b);
}

Test(model, init_leaves_weights_that_are_set)
{
    qs_model *model = make(1, 0);
    const float kernel[] = {42};
    add(model, "dense", "{units: 1}");
    cr_assert_eq(qs_model_set_weight(model, 0, kernel, 1, NULL), QS_OK);
    cr_expect_eq(qs_model_set_weight(model, 0, kernel, 2, NULL), QS_E_SHAPE);
    cr_expect_eq(qs_model_set_weight(model, 9, kernel, 1, NULL), QS_E_ARG);
    cr_assert_eq(qs_model_init(model, 1, NULL), QS_OK);
    qs_weight_info info;
    qs_model_weight(model, 0, &info, NULL);
    cr_expect_eq(info.data[0], 42);
    qs_model_close(model);
}

Test(model, names_must_be_new)
{
    qs_model *model = make(2, 0);
    add(model, "dense", "{units: 1, name: a}");
    cr_expect_eq(qs_model_add(model, "dense", "{units: 1, name: a}", NULL), QS_E_ARG);
    cr_expect_eq(qs_model_add(model, "dense", "{units: 1, name: a/b}", NULL), QS_E_ARG);
    qs_model_close(model);
}
