/* SPDX-License-Identifier: MIT */
/* malformed_test.c - files cut short, lying or of another kind are refused and say what they are. */
#include "files.h"

#include "base/alloc.h"
#include "format/format.h"

static const char recipe[] = "model: [input: 3, dense: 2, batch_normalization]\n"
                             "train: {loss: mean_squared_error, optimizer: adam}\n";

static qs_model *small_model(void)
{
    qs_model *model = parse_recipe(recipe);
    cr_assert_eq(qs_model_init(model, 1, NULL), QS_OK);
    return model;
}

static unsigned char *written(const qs_file_format *format, size_t *n)
{
    unsigned char *bytes;
    qs_model *model = small_model();
    cr_assert_eq(format->write(model, &bytes, n, NULL), QS_OK);
    qs_model_close(model);
    return bytes;
}

/* Reads as a model where the format has layers, else as weights. */
static qs_status attempt(const qs_file_format *format, const unsigned char *bytes, size_t n,
                         qs_error *err)
{
    qs_model *model = format->read ? NULL : parse_recipe(recipe);
    const qs_status status = format->read ? format->read(bytes, n, &model, err)
                                          : format->read_weights(bytes, n, model, err);
    if (status != QS_OK && !format->read)
        for (int i = 0; i < model->weights; i++)
            cr_expect_null(model->weight[i].data, "%s: half a file was loaded", format->name);
    qs_model_close(model);
    return status;
}

/* A recipe cut between two layers is one still. */
Test(malformed, cut_short_at_every_length)
{
    for (int i = 0; qs_file_formats[i]; i++) {
        const qs_file_format *format = qs_file_formats[i];
        size_t n;
        unsigned char *bytes = written(format, &n);
        cr_assert_eq(attempt(format, bytes, n, NULL), QS_OK, "%s", format->name);
        const size_t stride = n / 400 + 1;
        for (size_t cut = 0; cut < n; cut += stride) {
            qs_error err = {0};
            unsigned char *exact = qs_malloc(cut ? cut : 1); /* so that one byte too far is seen */
            memcpy(exact, bytes, cut);
            const qs_status status = attempt(format, exact, cut, &err);
            if (strcmp(format->name, "recipe"))
                cr_expect_eq(status, QS_E_FORMAT, "%s cut to %zu of %zu bytes: %d %s", format->name,
                             cut, n, status, err.text);
            qs_free(exact);
        }
        qs_free(bytes);
    }
}

static qs_status read_tensors(const char *header, size_t data, qs_error *err)
{
    unsigned char bytes[1024] = {0};
    const size_t n = strlen(header);
    bytes[0] = (unsigned char)(n & 255);
    bytes[1] = (unsigned char)(n >> 8);
    memcpy(bytes + 8, header, n);
    return attempt(qs_file_format_of("x.safetensors"), bytes, 8 + n + data, err);
}

Test(malformed, safetensors_that_lie)
{
    static const struct {
        const char *header, *message;
    } all[] = {
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[3,2],\"data_offsets\":[0,25]}}", "data_offsets"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[3,2],\"data_offsets\":[8,4]}}", "data_offsets"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[3,2],\"data_offsets\":[-4,20]}}", "data_offsets"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[3,2],\"data_offsets\":[0,20]}}",
         "the shape needs 6"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,24]}}",
         "the shape needs"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[3,-2],\"data_offsets\":[0,24]}}", "no whole number"},
        {"{\"a\":{\"dtype\":\"F8\",\"shape\":[3],\"data_offsets\":[0,24]}}", "type F8"},
        {"{\"a\":3}", "must be an object"},
        {"{\"a\":{},\"a\":{}}", "duplicate"},
        {"{\"dense/kernel\":{\"dtype\":\"F32\",\"shape\":[3,2],\"data_offsets\":[0,24]}}",
         "no tensor 'dense/bias'"},
        {"{\"dense/kernel\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]}}",
         "is [2, 3] in the file, the model needs [3, 2]"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        qs_error err = {0};
        cr_expect_eq(qs_status_exit(read_tensors(all[i].header, 24, &err)), 2, "%s", all[i].header);
        cr_expect_not_null(strstr(err.text, all[i].message), "'%s' is not in: %s", all[i].message,
                           err.text);
    }
}

Test(malformed, file_of_another_kind_says_what_it_is)
{
    static const struct {
        const char *ending, *bytes, *message;
    } all[] = {
        {"m.keras", "\211HDF\r\n\032\n", "looks like an HDF5 file"},
        {"m.h5", "PK\3\4", "looks like a zip archive"},
        {"m.json", "PK\3\4", "looks like a zip archive"},
        {"m.npz", "\223NUMPY", "looks like a NumPy array"},
        {"m.keras", "\211PNG", "looks like a picture"},
        {"m.h5", "{\"a\": 1}", "looks like JSON"},
        {"m.keras", "", "the file is empty"},
        {"m.weights.h5", "xyz", "holds weights alone"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char path[PATH_TEXT];
        qs_model *model = NULL;
        qs_error err = {0};
        temporary(all[i].ending, path);
        cr_assert_eq(qs_file_write(path, all[i].bytes, strlen(all[i].bytes), NULL), QS_OK);
        qs_status status = qs_model_open(path, &model, &err);
        if (!strcmp(all[i].ending, "m.npz")) {
            model = small_model();
            status = qs_model_load_weights(model, path, &err);
            qs_model_close(model);
        }
        remove(path);
        cr_expect_eq(status, QS_E_FORMAT, "%s", err.text);
        cr_expect_not_null(strstr(err.text, all[i].message), "'%s' is not in: %s", all[i].message,
                           err.text);
        cr_expect_not_null(strstr(err.text, path), "%s names no file", err.text);
    }
}

Test(malformed, missing_and_unknown_files)
{
    qs_model *model = NULL;
    qs_error err = {0};
    cr_expect_eq(qs_model_open("/no/such/file.keras", &model, &err), QS_E_MISSING);
    cr_expect_not_null(strstr(err.text, "/no/such/file.keras"));
    char path[PATH_TEXT];
    cr_assert_eq(qs_file_write(temporary("m.bin", path), "x", 1, NULL), QS_OK);
    cr_expect_eq(qs_model_open(path, &model, &err), QS_E_ARG);
    cr_expect_not_null(strstr(err.text, ".keras"), "%s", err.text);
    remove(path);
}

/* Memory that runs out at the n-th request: an answer, and nothing half done. */
Test(malformed, every_allocation_may_fail)
{
    for (int i = 0; qs_file_formats[i]; i++) {
        const qs_file_format *format = qs_file_formats[i];
        size_t n;
        unsigned char *bytes = written(format, &n);
        qs_status status = QS_E_NOMEM;
        for (size_t nth = 1; status != QS_OK && nth < 4000; nth++) {
            qs_error err = {0};
            qs_model *model = format->read ? NULL : parse_recipe(recipe);
            qs_alloc_refuse_nth(nth);
            status = format->read ? format->read(bytes, n, &model, &err)
                                  : format->read_weights(bytes, n, model, &err);
            qs_alloc_refuse_nth(0);
            qs_model_close(model);
        }
        cr_expect_eq(status, QS_OK, "%s never got all it asked for", format->name);
        qs_free(bytes);
    }
}

Test(malformed, every_allocation_may_fail_while_writing)
{
    qs_model *model = small_model();
    for (int i = 0; qs_file_formats[i]; i++) {
        qs_status status = QS_E_NOMEM;
        for (size_t nth = 1; status != QS_OK && nth < 4000; nth++) {
            unsigned char *bytes = NULL;
            size_t n = 0;
            qs_error err = {0};
            qs_alloc_refuse_nth(nth);
            status = qs_file_formats[i]->write(model, &bytes, &n, &err);
            qs_alloc_refuse_nth(0);
            cr_expect(status == QS_OK || status == QS_E_NOMEM, "%s: %s", qs_file_formats[i]->name,
                      err.text);
            qs_free(bytes);
        }
        cr_expect_eq(status, QS_OK, "%s never got all it asked for", qs_file_formats[i]->name);
    }
    qs_model_close(model);
}
