/* SPDX-License-Identifier: MIT */
/* sources_test.c - every kind of file, whole and broken; files/ is made by make_files.py. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "data/array.h"
#include "data/data.h"
#include "data/source.h"

static void setup(void)
{
    char path[1000];
    const char *const source = getenv("QS_SOURCE");
    snprintf(path, sizeof path, "%s/tests/unit/data/files", source ? source : ".");
    cr_assert_eq(chdir(path), 0, "run this from the source folder, or set QS_SOURCE");
}

TestSuite(sources, .init = setup);

static qs_data *open_set(const char *spec)
{
    qs_data *data = NULL;
    qs_error err = {0};
    cr_assert_eq(qs_data_open(spec, NULL, &data, &err), QS_OK, "%s: %s", spec, err.text);
    return data;
}

static void refused(const char *spec, qs_status status, const char *text)
{
    qs_data *data = NULL;
    qs_error err = {0};
    cr_assert_eq(qs_data_open(spec, NULL, &data, &err), status, "%s: %s", spec, err.text);
    cr_assert_null(data);
    cr_assert(strstr(err.text, text), "%s: '%s' lacks '%s'", spec, err.text, text);
}

static double element(const qs_data *data, size_t i)
{
    const qs_array x = {.data = data->x, .dtype = data->x_type};
    double value;
    qs_array_doubles(&x, i, 1, &value);
    return value;
}

static double label(const qs_data *data, size_t i)
{
    const qs_array y = {.data = data->y, .dtype = data->y_type};
    double value;
    qs_array_doubles(&y, i, 1, &value);
    return value;
}

/* The six samples of make_files.py. */
static void expect_six(const char *spec, qs_dtype dtype)
{
    qs_data *data = open_set(spec);
    qs_data_info info;
    qs_data_describe(data, &info);
    cr_assert_str_eq(info.name, spec);
    cr_assert_eq(info.rows, 6);
    cr_assert_eq(info.rank, 2);
    cr_assert_eq(info.shape[0], 2);
    cr_assert_eq(info.shape[1], 3);
    cr_assert_eq(info.dtype, dtype);
    cr_assert_eq(info.classes, 3);
    cr_assert_eq(info.outputs, 0);
    for (size_t i = 0; i < 36; i++)
        cr_assert_eq(element(data, i), (double)(7 * i % 251), "%s: element %zu", spec, i);
    for (size_t i = 0; i < 6; i++)
        cr_assert_eq(label(data, i), (double)(i % 3));
    qs_data_close(data);
}

Test(sources, idx_plain_packed_and_big_endian)
{
    expect_six("images-idx3-ubyte,labels-idx1-ubyte", QS_U8);
    expect_six("images.gz,labels.gz", QS_U8);
    expect_six("floats-idx,labels.gz", QS_F32);
    qs_data *data = open_set("images-idx3-ubyte");
    cr_assert_null(data->y);
    cr_assert_eq(data->rows, 6);
    qs_data_close(data);
}

Test(sources, idx_that_lies_is_refused)
{
    refused("cut-idx,labels.gz", QS_E_FORMAT, "cut-idx: the header says [6, 2, 3] elements");
    refused("long-idx,labels.gz", QS_E_FORMAT, "37 bytes follow");
    refused("huge-idx,labels.gz", QS_E_FORMAT, "[4294967295, 4294967295, 4294967295]");
    refused("cut.gz,labels.gz", QS_E_FORMAT, "cut.gz: gzip data are damaged or cut off");
    refused("nothing,labels.gz", QS_E_MISSING, "nothing: no such file");
    refused("images.gz,labels.gz,images.gz", QS_E_ARG, "IMAGES,LABELS");
    refused("y.npy,labels.gz", QS_E_FORMAT, "labels.gz: not a .npy");
    refused("pictures/notes.txt", QS_E_UNSUPPORTED, "cannot tell");
}

Test(sources, integers_below_0_are_numbers_to_predict)
{
    const float want[] = {0, 1, -1, 0, 1, 2};
    qs_data *data = open_set("x.npy,minus.npy");
    cr_assert_eq(data->outputs, 1);
    cr_assert_eq(data->classes, 0);
    for (int i = 0; i < 6; i++)
        cr_assert_eq(label(data, (size_t)i), (double)want[i]);
    qs_data_close(data);
}

Test(sources, npy)
{
    expect_six("x.npy,y.npy", QS_F32);
    expect_six("fortran.npy,y.npy", QS_F64);
    expect_six("x.npy,y.npy,w.npy", QS_F32);
    refused("x.npy,short_y.npy", QS_E_SHAPE, "6 samples, but 5 labels");
    refused("nan.npy,y.npy", QS_E_DATA, "sample 4 holds nan (element 3 of 6)");
    refused("none.npy", QS_E_DATA, "no samples");
    refused("gone.npy", QS_E_MISSING, "gone.npy: no such file");
    refused("x.npy,y.npy,w.npy,w.npy", QS_E_ARG, "1 to 3 names");
}

Test(sources, float_labels_are_classes_only_if_whole)
{
    qs_data *real = open_set("x.npy,real.npy"), *whole = open_set("x.npy,whole.npy");
    cr_assert_eq(real->outputs, 1);
    cr_assert_eq(real->y_type, QS_F32);
    cr_assert_eq(label(real, 0), 0.5);
    cr_assert_eq(whole->outputs, 0);
    cr_assert_eq(whole->classes, 3);
    cr_assert_eq(label(whole, 5), 2);
    qs_data_close(real);
    qs_data_close(whole);
}

Test(sources, npz_packed_with_weights)
{
    expect_six("packed.npz", QS_U8);
    expect_six("packed.npz:x,y", QS_U8);
    qs_data *data = open_set("packed.npz"), *plain = open_set("packed.npz:x,y");
    cr_assert_not_null(data->weight);
    for (size_t i = 0; i < 6; i++)
        cr_assert_eq(data->weight[i], (float)i / 4);
    cr_assert_null(plain->weight);
    qs_data_close(data);
    qs_data_close(plain);
    refused("packed.npz:x,z", QS_E_MISSING, "no array 'z' (did you mean");
    refused("packed.npz:x,,y", QS_E_ARG, "1 to 3 names");
}

Test(sources, npz_stored_with_a_test_part)
{
    expect_six("stored.npz", QS_F32);
    qs_data *data = open_set("stored.npz");
    cr_assert_str_eq(data->test, "stored.npz:x_test,y_test");
    qs_data *test = open_set(data->test);
    cr_assert_eq(test->rows, 2);
    cr_assert_null(test->test);
    qs_data_close(data);
    qs_data_close(test);
}

Test(sources, npz_other_names_and_types)
{
    qs_data *data = open_set("odd.npz:samples,one_hot");
    cr_assert_eq(data->outputs, 3);
    cr_assert_eq(data->y_type, QS_F32);
    for (size_t i = 0; i < 18; i++)
        cr_assert_eq(label(data, i), i / 3 % 3 == i % 3);
    qs_data_close(data);
    refused("odd.npz", QS_E_MISSING, "the file has: 'samples', 'one_hot', 'records'");
    refused("odd.npz:records", QS_E_UNSUPPORTED, "array 'records'");
}

/* Every cut and many single changes: an answer, and never a crash. */
Test(sources, npz_and_hdf5_cut_anywhere_are_refused)
{
    static const char *const files[] = {"packed.npz", "stored.npz", "table.h5"};
    static const char *const cut[] = {"/tmp/qs-cut.npz", "/tmp/qs-cut.npz", "/tmp/qs-cut.h5"};
    for (size_t f = 0; f < 3; f++) {
        const unsigned char *bytes;
        size_t n;
        qs_data *data = NULL;
        cr_assert_eq(qs_file_map(files[f], &bytes, &n, NULL), QS_OK);
        for (size_t m = 0; m < n; m += n / 40 + 1) {
            cr_assert_eq(qs_file_write(cut[f], bytes, m, NULL), QS_OK);
            cr_assert_neq(qs_data_open(cut[f], NULL, &data, NULL), QS_OK, "%zu of %s", m, files[f]);
        }
        qs_file_unmap(bytes, n);
        unlink(cut[f]);
    }
}

Test(sources, hdf5)
{
    expect_six("table.h5", QS_I16);
    expect_six("table.h5:x,y", QS_I16);
    qs_data *data = open_set("table.h5:part/x,part/y");
    cr_assert_eq(data->x_type, QS_F64);
    cr_assert_eq(data->outputs, 3);
    cr_assert_eq(element(data, 35), 245);
    qs_data_close(data);
    data = open_set("table.h5:half,y");
    cr_assert_eq(data->x_type, QS_F32);
    cr_assert_eq(element(data, 35), 245);
    qs_data_close(data);
    refused("table.h5:xx,y", QS_E_MISSING, "no array 'xx' (did you mean");
    refused("table.h5:text,y", QS_E_UNSUPPORTED, "'text'");
    refused("table.h5:links/far,y", QS_E_MISSING, "no array 'links/far'");
    refused("table.h5:links/soft,y", QS_E_MISSING, "no array 'links/soft'");
    refused("table.h5:part,y", QS_E_FORMAT, "no data set");
    refused("table.h5:never", QS_E_FORMAT, "0 bytes are stored");
    refused("gone.h5:x", QS_E_MISSING, "gone.h5: no such file");
}

Test(sources, pictures)
{
    qs_data *data = open_set("pictures");
    cr_assert_eq(data->rows, 5);
    cr_assert_eq(data->sample.rank, 3);
    cr_assert_eq(data->sample.dim[0], 4);
    cr_assert_eq(data->sample.dim[1], 5);
    cr_assert_eq(data->sample.dim[2], 3);
    cr_assert_eq(data->classes, 2);
    cr_assert_str_eq(qs_data_class_name(data, 0), "cat");
    cr_assert_str_eq(qs_data_class_name(data, 1), "dog");
    cr_assert_null(qs_data_class_name(data, 2));
    for (size_t i = 0; i < 60; i++) {
        cr_assert_eq(element(data, i), (double)(7 * i % 251));            /* cat/10.png */
        cr_assert_eq(element(data, 60 + i), (double)(7 * (i / 3) % 251)); /* cat/2.png: grey */
        cr_assert_float_eq(element(data, 180 + i), i % 3 == 0 ? 200 : i % 3 == 1 ? 100 : 50, 2);
        cr_assert_eq(element(data, 240 + i), i < 3 ? 0 : (double)(7 * i % 251)); /* dog/c.png */
    }
    for (size_t i = 0; i < 5; i++)
        cr_assert_eq(label(data, i), i >= 2);
    qs_data_close(data);

    data = open_set("grey");
    cr_assert_eq(data->sample.dim[2], 1);
    for (size_t i = 0; i < 20; i++)
        cr_assert_eq(element(data, i), (double)(7 * i % 251));
    qs_data_close(data);
}

Test(sources, pictures_that_do_not_fit_are_named)
{
    refused("sizes", QS_E_DATA, "sizes/b/2.png: 5x3 pixels, but sizes/a/1.png has 5x4");
    refused("cut", QS_E_FORMAT, "cut/a/1.png: damaged PNG");
    refused("pictures/cat", QS_E_DATA, "no .png or .jpg pictures");
}

Test(sources, named_sets)
{
    qs_data *train = open_set("digits"), *test = open_set("digits:test");
    cr_assert_eq(train->rows, 1500);
    cr_assert_eq(test->rows, 297);
    cr_assert_str_eq(train->test, "digits:test");
    cr_assert_null(test->test);
    cr_assert_eq(train->classes, 10);
    cr_assert_eq(train->sample.dim[0] * train->sample.dim[1], 64);
    /* first and last line of the set as UCI has it */
    static const double first[] = {0, 0, 5, 13, 9, 1, 0, 0, 0, 0, 13, 15, 10, 15, 5, 0};
    for (size_t i = 0; i < 16; i++)
        cr_assert_eq(element(train, i), first[i]);
    cr_assert_eq(label(train, 0), 0);
    cr_assert_eq(label(test, 296), 8);
    qs_data_close(train);
    qs_data_close(test);
    refused("digits:tset", QS_E_ARG, "'digits:test'");
}

Test(sources, absent_sets_say_where_they_were_looked_for)
{
    setenv("QUICKSTEP_DATA", "/nowhere/at/all", 1);
    setenv("HOME", "/no/home", 1);
    unsetenv("QUICKSTEP_CACHE");
    unsetenv("XDG_CACHE_HOME");
    refused("mnist", QS_E_MISSING,
            "not in /nowhere/at/all, /no/home/.keras/datasets, /no/home/.cache/quickstep, "
            "/usr/share/datasets; put mnist.npz");
    refused("mnist:test", QS_E_MISSING, "data set mnist");
    if (!qs_file_exists("/usr/share/datasets/fashion-mnist"))
        refused("fashion-mnist", QS_E_MISSING, "apt install dataset-fashion-mnist");
}

Test(sources, named_sets_are_found_as_idx_and_as_npz)
{
    char folder[] = "/tmp/qs-named-XXXXXX", command[1000];
    cr_assert(mkdtemp(folder));
    snprintf(command, sizeof command,
             "mkdir -p %s/mnist %s/fashion-mnist && cp stored.npz %s/mnist.npz && "
             "cp images.gz %s/fashion-mnist/train-images-idx3-ubyte.gz && "
             "cp labels.gz %s/fashion-mnist/train-labels-idx1-ubyte.gz",
             folder, folder, folder, folder, folder);
    cr_assert_eq(system(command), 0);
    setenv("QUICKSTEP_DATA", folder, 1);
    expect_six("mnist", QS_F32);
    qs_data *mnist = open_set("mnist"), *test = open_set("mnist:test");
    cr_assert_str_eq(mnist->test, "mnist:test");
    cr_assert_eq(test->rows, 2);
    qs_data *clothes = open_set("fashion-mnist");
    cr_assert_eq(clothes->rows, 6);
    cr_assert_eq(clothes->classes, 10);
    cr_assert_str_eq(qs_data_class_name(clothes, 9), "Ankle boot");
    qs_data_close(mnist);
    qs_data_close(test);
    qs_data_close(clothes);
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}

Test(sources, synthetic_is_deterministic_and_can_be_learned)
{
    qs_data *data = open_set("synthetic:500,4x4x1,3"), *longer = open_set("synthetic:900,4x4x1,3");
    cr_assert_eq(data->rows, 500);
    cr_assert_eq(data->sample.rank, 3);
    cr_assert_eq(data->classes, 3);
    cr_assert_arr_eq(data->x, longer->x, 500 * 16 * sizeof(float));
    double centre[3][16] = {{0}}, count[3] = {0}, sum = 0, square = 0;
    for (size_t i = 0; i < 500; i++) {
        const size_t c = (size_t)label(data, i);
        count[c]++;
        for (size_t f = 0; f < 16; f++)
            centre[c][f] += element(data, i * 16 + f);
    }
    size_t right = 0;
    for (size_t i = 0; i < 500; i++) {
        double best = INFINITY;
        size_t nearest = 0;
        for (size_t c = 0; c < 3; c++) {
            double far = 0;
            for (size_t f = 0; f < 16; f++)
                far += pow(element(data, i * 16 + f) - centre[c][f] / count[c], 2);
            nearest = far < best ? c : nearest;
            best = fmin(best, far);
        }
        right += nearest == (size_t)label(data, i);
        sum += element(data, i * 16) -
               centre[(size_t)label(data, i)][0] / count[(size_t)label(data, i)];
        square += pow(element(data, i * 16) -
                          centre[(size_t)label(data, i)][0] / count[(size_t)label(data, i)],
                      2);
    }
    cr_assert_gt(right, 350, "%zu of 500 are nearest to their own centre", right);
    cr_assert_float_eq(square / 500, 1, 0.2);
    cr_assert_float_eq(sum, 0, 1e-6);
    qs_data_close(data);
    qs_data_close(longer);
    refused("synthetic:0,4,2", QS_E_ARG, "synthetic:N,SHAPE,CLASSES");
    refused("synthetic", QS_E_ARG, "such as synthetic:10000,28x28x1,10");
    refused("synthetic:5,4,2,1", QS_E_ARG, "must be");
    refused("synthetic:4000000000,100000x100000x100000,2", QS_E_NOMEM, "needs");
}

Test(sources, unknown_names_are_explained)
{
    refused("fashion-mnits", QS_E_MISSING, "did you mean 'fashion-mnist'");
    refused("fashion_mnist", QS_E_MISSING, "did you mean 'fashion-mnist'");
    refused("some/where", QS_E_MISSING, "some/where: no such file");
    refused("", QS_E_ARG, "no data set");
    for (size_t i = 0; qs_source_kinds[i]; i++) {
        cr_assert_not_null(qs_source_kinds[i]->form);
        cr_assert_not_null(qs_source_kinds[i]->help);
    }
}
