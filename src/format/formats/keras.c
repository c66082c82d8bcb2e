/* SPDX-License-Identifier: MIT */
/* keras.c - Keras 3's archive: config.json, metadata.json, model.weights.h5. */
#include <string.h>

#include "base/alloc.h"
#include "format/format.h"
#include "format/hdf5_model.h"
#include "format/keras_config.h"
#include "format/zip_file.h"

#define WEIGHTS "model.weights.h5"

static qs_status read_config(const qs_zip *zip, qs_model **out, qs_error *err)
{
    unsigned char *text;
    size_t n;
    json_t *json;
    QS_TRY(qs_zip_read(zip, "config.json", &text, &n, err));
    qs_status status = qs_json_parse((const char *)text, n, &json, err);
    qs_free(text);
    if (status == QS_OK) {
        status = qs_keras_model(json, out, err);
        json_decref(json);
    }
    return qs_context(err, status, "config.json");
}

/* Keras 2 kept the optimizer's variables in another order: then training starts with a fresh state,
 * as Keras 3 does with such files. */
static bool has_state(const qs_zip *zip)
{
    unsigned char *text;
    size_t n;
    json_t *json = NULL;
    if (qs_zip_read(zip, "metadata.json", &text, &n, NULL) != QS_OK)
        return true;
    qs_json_parse((const char *)text, n, &json, NULL);
    qs_free(text);
    const char *version = json_string_value(json_object_get(json, "keras_version"));
    const bool old = version && !strncmp(version, "2.", 2);
    json_decref(json);
    return !old;
}

/* state: the optimizer's too. */
static qs_status read_store(const qs_zip *zip, qs_model *model, bool state, qs_error *err)
{
    unsigned char *bytes;
    size_t n;
    qs_hdf5 file;
    QS_TRY(qs_zip_read(zip, WEIGHTS, &bytes, &n, err));
    qs_status status = qs_hdf5_open(bytes, n, &file, err);
    qs_free(bytes);
    if (status == QS_OK) {
        status = qs_hdf5_weights(&file, model, err);
        if (status == QS_OK && state)
            status = qs_hdf5_store_state(&file, model, err);
        qs_hdf5_close(&file);
    }
    return qs_context(err, status, WEIGHTS);
}

static qs_status read(const unsigned char *bytes, size_t n, qs_model **out, qs_error *err)
{
    qs_zip *zip;
    qs_model *model = NULL;
    QS_TRY(qs_zip_open(bytes, n, &zip, err));
    qs_status status = read_config(zip, &model, err);
    if (status == QS_OK)
        status = read_store(zip, model, has_state(zip), err);
    qs_zip_close(zip);
    if (status != QS_OK)
        qs_model_close(model);
    else
        *out = model;
    return status;
}

static qs_status read_weights(const unsigned char *bytes, size_t n, qs_model *model, qs_error *err)
{
    qs_zip *zip;
    QS_TRY(qs_zip_open(bytes, n, &zip, err));
    const qs_status status = read_store(zip, model, false, err);
    qs_zip_close(zip);
    return status;
}

static qs_status write_store(const qs_model *model, unsigned char **bytes, size_t *n, qs_error *err)
{
    qs_hdf5 file;
    QS_TRY(qs_hdf5_create(&file, err));
    qs_status status = qs_hdf5_store_write(&file, model, err);
    if (status == QS_OK)
        status = qs_hdf5_image(&file, bytes, n, err);
    qs_hdf5_close(&file);
    return status;
}

/* No date: the same model gives the same bytes. */
static qs_status write(const qs_model *model, unsigned char **bytes, size_t *n, qs_error *err)
{
    static const char metadata[] = "{\"keras_version\": \"3.15.1\", \"saved_by\": \"quickstep\"}";
    unsigned char *store = NULL;
    size_t store_n = 0;
    char *config = qs_keras_text(model);
    qs_status status = config ? write_store(model, &store, &store_n, err)
                              : qs_fail_memory(err, 4096, "config.json");
    if (config && status == QS_OK) {
        const qs_zip_member members[] = {
            {"metadata.json", metadata, strlen(metadata)},
            {"config.json", config, strlen(config)},
            {WEIGHTS, store, store_n},
        };
        status = qs_zip_write(members, 3, bytes, n, err);
    }
    qs_free(store);
    qs_free(config);
    return status;
}

const qs_file_format qs_file_format_keras = {
    .name = "keras",
    .ending = ".keras",
    .help = "Keras 3 archive: layers, weights, training state",
    .architecture = true,
    .weights = true,
    .optimizer = true,
    .copies = 4,
    .read = read,
    .read_weights = read_weights,
    .write = write,
};
