/* SPDX-License-Identifier: MIT */
/* round_trip_test.c - from every format to every other: the same layers, weights and state. */
#include "files.h"

#include "base/alloc.h"
#include "format/format.h"

static const char recipe[] =
    "model:\n"
    "  - input: [4, 3]\n"
    "  - rescaling: {scale: 0.5, offset: [1, 2, 3]}\n"
    "  - normalization\n"
    "  - dense: {units: 5, activation: leaky_relu, kernel_regularizer: {l1_l2: {l2: 0.1}}}\n"
    "  - batch_normalization: {scale: false}\n"
    "  - prelu: {shared_axes: [1]}\n"
    "  - layer_normalization: {trainable: false}\n"
    "  - flatten\n"
    "  - gaussian_noise: 0.1\n"
    "  - dense: {units: 6, kernel_constraint: {max_norm: 2.0}, name: before_last}\n"
    "  - reshape: [3, 2]\n"
    "  - elu\n"
    "  - relu: {max_value: 6.0}\n"
    "  - activation: softmax\n"
    "train:\n"
    "  loss: mean_squared_error\n"
    "  optimizer: {adam: {learning_rate: 0.01, amsgrad: true}}\n"
    "  metrics: [mean_absolute_error]\n";

/* Numbers that are all different, so that swapped arrays show. */
static void number(float *data, size_t n, float *next)
{
    for (size_t i = 0; i < n; i++)
        data[i] = *next += 0.37F;
}

static qs_model *trained(const char *text, int slots)
{
    qs_model *model = parse_recipe(text);
    float next = -20;
    cr_assert_eq(qs_model_init(model, 3, NULL), QS_OK);
    cr_assert_eq(qs_model_optim_alloc(model, slots, NULL), QS_OK);
    for (int i = 0; i < model->weights; i++) {
        const size_t n = qs_shape_count(&model->weight[i].shape);
        number(model->weight[i].data, n, &next);
        for (int slot = 0; slot < slots && model->weight[i].trainable; slot++)
            number(model->optim.slot[slot][i], n, &next);
    }
    model->optim.present = true;
    model->optim.iterations = 2048; /* the address of a heap in whole-model HDF5 */
    model->optim.learning_rate = 0.01;
    return model;
}

static qs_model *through(const qs_model *model, const qs_file_format *format)
{
    char path[PATH_TEXT], name[64];
    qs_error err = {0};
    qs_model *again;
    snprintf(name, sizeof name, "model%s", format->ending);
    cr_assert_eq(qs_model_save(model, temporary(name, path), 1, &err), QS_OK, "%s", err.text);
    if (format->architecture) {
        again = open_model(path);
        if (!format->weights)
            for (int i = 0; i < model->weights; i++)
                qs_model_set_weight(again, (size_t)i, model->weight[i].data,
                                    qs_shape_count(&model->weight[i].shape), NULL);
    } else {
        again = parse_recipe(recipe);
        cr_assert_eq(qs_model_load_weights(again, path, &err), QS_OK, "%s", err.text);
    }
    remove(path);
    return again;
}

static void check_pair(const qs_model *model, const qs_file_format *from, const qs_file_format *to)
{
    qs_model *half = through(model, from);
    if (from->architecture && to->architecture) {
        qs_model *whole = through(half, to);
        char what[64];
        snprintf(what, sizeof what, "%s to %s", from->name, to->name);
        expect_same_layers(model, whole, what);
        expect_same_weights(model, whole);
        if (from->optimizer && to->optimizer)
            expect_same_state(model, whole);
        qs_model_close(whole);
    } else {
        expect_same_weights(model, half);
    }
    qs_model_close(half);
}

Test(round_trip, every_pair)
{
    qs_model *model = trained(recipe, 3);
    for (int i = 0; qs_file_formats[i]; i++)
        for (int k = 0; qs_file_formats[k]; k++)
            check_pair(model, qs_file_formats[i], qs_file_formats[k]);
    qs_model_close(model);
}

/* Each has its slots in an order of its own in Keras' files. */
Test(round_trip, state_of_every_optimizer)
{
    static const struct {
        const char *optimizer;
        int slots;
    } all[] = {
        {"sgd", 0},
        {"{sgd: {momentum: 0.9}}", 1},
        {"adam", 2},
        {"{adam: {amsgrad: true}}", 3},
        {"adamw", 2},
        {"{rmsprop: {momentum: 0.9, centered: true}}", 3},
        {"adagrad", 1},
        {"{rmsprop: {centered: true}}", 2},
        {"adadelta", 2},
        {"adamax", 2},
        {"nadam", 2},
        {"{nadam: {learning_rate: {cosine_decay: {initial_learning_rate: 0.1, "
         "decay_steps: 9}}}}",
         2},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "model: [input: 3, dense: 2, batch_normalization, dense: 2]\n"
                 "train: {loss: mean_squared_error, optimizer: %s}\n",
                 all[i].optimizer);
        qs_model *model = trained(text, all[i].slots);
        model->optim.scalar = strstr(text, "nadam") ? 0.25 : 1;
        for (int k = 0; qs_file_formats[k]; k++)
            if (qs_file_formats[k]->architecture && qs_file_formats[k]->optimizer) {
                qs_model *again = through(model, qs_file_formats[k]);
                expect_same_state(model, again);
                qs_model_close(again);
            }
        qs_model_close(model);
    }
}

Test(round_trip, same_model_same_bytes)
{
    qs_model *model = trained(recipe, 3);
    for (int i = 0; qs_file_formats[i]; i++) {
        unsigned char *a, *b;
        size_t n, m;
        cr_assert_eq(qs_file_formats[i]->write(model, &a, &n, NULL), QS_OK);
        cr_assert_eq(qs_file_formats[i]->write(model, &b, &m, NULL), QS_OK);
        cr_expect(n == m && !memcmp(a, b, n), "%s", qs_file_formats[i]->name);
        qs_free(a);
        qs_free(b);
    }
    qs_model_close(model);
}

Test(round_trip, what_would_lose_something_is_refused)
{
    static const char *const losing[] = {"m.json", "m.yaml", "m.npz", "m.safetensors",
                                         "m.weights.h5"};
    qs_model *model = trained(recipe, 3);
    for (size_t i = 0; i < sizeof losing / sizeof *losing; i++) {
        char path[PATH_TEXT];
        qs_error err = {0};
        cr_expect_eq(qs_model_save(model, temporary(losing[i], path), 0, &err), QS_E_UNSUPPORTED);
        cr_expect_not_null(strstr(err.text, "--lossy"), "%s", err.text);
        cr_expect_not(qs_file_exists(path));
    }
    qs_model_close(model);
}

Test(round_trip, run_folder_holds_the_best_model)
{
    char folder[PATH_TEXT], path[2 * PATH_TEXT];
    qs_error err = {0};
    qs_model *model = trained(recipe, 3), *out = NULL;
    cr_assert_eq(qs_folder_make(temporary("run", folder), &err), QS_OK, "%s", err.text);
    cr_expect_eq(qs_model_open(folder, &out, &err), QS_E_MISSING);
    cr_expect_not_null(strstr(err.text, "best.keras"), "%s", err.text);

    snprintf(path, sizeof path, "%s/model.keras", folder);
    cr_assert_eq(qs_model_save(model, path, 0, NULL), QS_OK);
    out = open_model(folder);
    cr_expect_eq(out->weight[0].data[0], model->weight[0].data[0]);
    qs_model_close(out);

    model->weight[0].data[0] = 7;
    snprintf(path, sizeof path, "%s/best.keras", folder);
    cr_assert_eq(qs_model_save(model, path, 0, NULL), QS_OK);
    out = open_model(folder);
    cr_expect_eq(out->weight[0].data[0], 7);
    qs_model_close(out);
    remove(path);
    snprintf(path, sizeof path, "%s/model.keras", folder);
    remove(path);
    rmdir(folder);
    qs_model_close(model);
}
