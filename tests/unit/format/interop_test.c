/* SPDX-License-Identifier: MIT */
/* interop_test.c - one trained model in each of Keras' own files: all say the same as Keras did. */
#include "files.h"
#include "format/zip_file.h"
#include "tensor/npy.h"

#include "base/alloc.h"

/* Final weights as Keras had them in memory: w0, w1, … of expect.npz. */
static void expect_keras_weights(const qs_model *model)
{
    char path[PATH_TEXT];
    const unsigned char *bytes;
    size_t n;
    qs_zip *zip;
    cr_assert_eq(qs_file_map(shared_path("interop/mlp/expect.npz", path), &bytes, &n, NULL), QS_OK);
    cr_assert_eq(qs_zip_open(bytes, n, &zip, NULL), QS_OK);
    for (int i = 0; i < model->weights; i++) {
        char member[32];
        unsigned char *array;
        size_t size;
        qs_array values;
        bool fortran;
        snprintf(member, sizeof member, "w%d.npy", i);
        cr_assert_eq(qs_zip_read(zip, member, &array, &size, NULL), QS_OK);
        cr_assert_eq(qs_npy_parse(array, size, &values, &fortran, NULL), QS_OK);
        expect_same_floats(model->weight[i].data, values.data,
                           qs_shape_count(&model->weight[i].shape), model->weight[i].name);
        qs_free(array);
    }
    qs_zip_close(zip);
    qs_file_unmap(bytes, n);
}

static qs_model *open_shared(const char *name)
{
    char path[PATH_TEXT];
    return open_model(shared_path(name, path));
}

/* 15 updates were made: run.json says 5 epochs of 3 batches. */
static void expect_trained(const qs_model *model)
{
    expect_keras_weights(model);
    cr_assert(model->optim.present);
    cr_expect_eq(model->optim.iterations, 15u, "%llu updates",
                 (unsigned long long)model->optim.iterations);
    cr_expect_eq((float)model->optim.learning_rate, 0.005F);
    cr_expect_eq(model->optim.slots, 2);
    cr_expect_str_eq(qs_model_setting(model, "loss"), "categorical_crossentropy");
    cr_expect_str_eq(qs_model_setting(model, "metrics"), "accuracy");
}

/* mu(t) = 0.9 (1 - 0.5 * 0.96^t), multiplied up over the updates. */
static double product_of_mu(int updates)
{
    double product = 1, power = 1;
    for (int t = 1; t <= updates; t++) {
        power *= 0.96;
        product *= 0.9 * (1 - 0.5 * power);
    }
    return product;
}

Test(interop, archive_of_keras)
{
    need_fixtures();
    qs_model *model = open_shared("interop/mlp/model.keras");
    expect_trained(model);
    cr_expect_float_eq(model->optim.scalar, product_of_mu(15), 1e-5 * product_of_mu(15));
    qs_model_close(model);
}

Test(interop, whole_model_hdf5)
{
    need_fixtures();
    qs_model *model = open_shared("interop/mlp/model.h5");
    qs_model *archive = open_shared("interop/mlp/model.keras");
    expect_trained(model);
    expect_same_layers(archive, model, "model.h5");
    expect_same_state(archive, model);
    qs_model_close(model);
    qs_model_close(archive);
}

Test(interop, weights_into_the_json)
{
    static const char *const files[] = {"model.weights.h5", "model.h5", "model.keras"};
    need_fixtures();
    for (int i = 0; i < 3; i++) {
        char path[PATH_TEXT], name[64];
        qs_error err = {0};
        qs_model *model = open_shared("interop/mlp/model.json");
        snprintf(name, sizeof name, "interop/mlp/%s", files[i]);
        cr_assert_eq(qs_model_load_weights(model, shared_path(name, path), &err), QS_OK, "%s",
                     err.text);
        expect_keras_weights(model);
        qs_model_close(model);
    }
}

/* names.json has the shapes of all six. */
Test(interop, files_of_weights_alone_are_listed)
{
    static const char *const files[] = {"model.weights.h5", "init.npz"};
    need_fixtures();
    for (int i = 0; i < 2; i++) {
        char path[PATH_TEXT], name[64];
        qs_error err = {0};
        qs_weight_file *file = NULL;
        qs_weight_info info;
        snprintf(name, sizeof name, "interop/mlp/%s", files[i]);
        cr_assert_eq(qs_weight_file_open(shared_path(name, path), &file, &err), QS_OK, "%s",
                     err.text);
        cr_expect_eq(qs_weight_file_count(file), 6u);
        cr_assert_eq(qs_weight_file_entry(file, 2, &info, NULL), QS_OK);
        cr_expect_str_eq(info.name, i ? "2" : "layers/dense_1/vars/0");
        cr_expect(info.rank == 2 && info.shape[0] == 24 && info.shape[1] == 12);
        cr_expect_eq(qs_weight_file_entry(file, 6, &info, NULL), QS_E_ARG);
        qs_weight_file_close(file);
    }
    char path[PATH_TEXT];
    qs_weight_file *file = NULL;
    cr_expect_eq(qs_weight_file_open(shared_path("interop/mlp/model.h5", path), &file, NULL),
                 QS_E_FORMAT, "a whole model must not pass for weights");
}

Test(interop, weights_of_another_model_change_nothing)
{
    static const char *const files[] = {"model.weights.h5", "model.h5", "model.keras", "init.npz"};
    need_fixtures();
    for (int i = 0; i < 4; i++) {
        char path[PATH_TEXT], name[64];
        qs_error err = {0};
        qs_model *model = parse_recipe("model: [input: 20, dense: 24, dense: 12, dense: 6]\n");
        cr_assert_eq(qs_model_init(model, 1, NULL), QS_OK);
        const float first = model->weight[0].data[0];
        snprintf(name, sizeof name, "interop/mlp/%s", files[i]);
        cr_expect_eq(qs_model_load_weights(model, shared_path(name, path), &err), QS_E_SHAPE, "%s",
                     err.text);
        cr_expect_not_null(strstr(err.text, "[12, 5]"), "%s names no shapes", err.text);
        cr_expect_not_null(strstr(err.text, "[12, 6]"), "%s names no shapes", err.text);
        cr_expect_eq(model->weight[0].data[0], first);
        qs_model_close(model);
    }
}
