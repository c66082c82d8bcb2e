/* SPDX-License-Identifier: MIT */
/* h5.c - Keras' whole-model HDF5, of Keras 2 and 3: layers, weights, training state. */
#include <string.h>

#include "base/alloc.h"
#include "format/format.h"
#include "format/hdf5_model.h"
#include "format/keras_config.h"

/* The JSON in an attribute of the root; *out NULL where there is none. */
static qs_status read_json(const qs_hdf5 *file, const char *name, json_t **out, qs_error *err)
{
    char *text = NULL;
    *out = NULL;
    QS_TRY(qs_hdf5_text(file, "/", name, &text, err));
    if (!text)
        return QS_OK;
    const qs_status status = qs_json_parse(text, strlen(text), out, err);
    qs_free(text);
    return qs_context(err, status, "%s", name);
}

static qs_status read_training(const qs_hdf5 *file, qs_model *model, qs_error *err)
{
    json_t *json;
    QS_TRY(read_json(file, "training_config", &json, err));
    qs_status status = QS_OK;
    if (json_object_size(json))
        status = qs_context(err, qs_keras_compiled(model, json, err), "training_config");
    json_decref(json);
    return status;
}

static qs_status read_layers(const qs_hdf5 *file, const json_t *config, qs_model **out,
                             qs_error *err)
{
    if (!config)
        return qs_fail(err, QS_E_FORMAT,
                       "the file has no layers (no model_config); if it holds weights, give them "
                       "with --weights to a model that has the layers");
    QS_TRY(qs_context(err, qs_keras_model(config, out, err), "model_config"));
    QS_TRY(read_training(file, *out, err));
    return qs_keras_own(*out, config, err);
}

static qs_status read_file(const qs_hdf5 *file, qs_model **out, qs_error *err)
{
    qs_model *model = NULL;
    json_t *config;
    QS_TRY(read_json(file, "model_config", &config, err));
    qs_status status = read_layers(file, config, &model, err);
    json_decref(config);
    if (status == QS_OK)
        status = qs_hdf5_weights(file, model, err);
    if (status == QS_OK)
        status = qs_hdf5_named_state(file, model, err);
    if (status != QS_OK)
        qs_model_close(model);
    else
        *out = model;
    return status;
}

static qs_status read(const unsigned char *bytes, size_t n, qs_model **out, qs_error *err)
{
    qs_hdf5 file;
    QS_TRY(qs_hdf5_open(bytes, n, &file, err));
    const qs_status status = read_file(&file, out, err);
    qs_hdf5_close(&file);
    return status;
}

static qs_status read_weights(const unsigned char *bytes, size_t n, qs_model *model, qs_error *err)
{
    qs_hdf5 file;
    QS_TRY(qs_hdf5_open(bytes, n, &file, err));
    const qs_status status = qs_hdf5_weights(&file, model, err);
    qs_hdf5_close(&file);
    return status;
}

/* Takes the JSON. */
static qs_status write_json(const qs_hdf5 *file, const char *name, json_t *json, qs_error *err)
{
    char *text = json ? qs_json_text(json) : NULL;
    json_decref(json);
    const qs_status status =
        text ? qs_hdf5_set_text(file, "/", name, text, err) : qs_fail_memory(err, 4096, name);
    qs_free(text);
    return status;
}

static qs_status write_file(const qs_hdf5 *file, const qs_model *model, qs_error *err)
{
    QS_TRY(qs_hdf5_set_text(file, "/", "backend", "tensorflow", err));
    QS_TRY(qs_hdf5_set_text(file, "/", "keras_version", "3.15.1", err));
    QS_TRY(write_json(file, "model_config", qs_keras_model_json(model), err));
    if (qs_model_setting(model, "optimizer") && qs_model_setting(model, "loss"))
        QS_TRY(write_json(file, "training_config", qs_keras_compile_json(model, "optimizer_config"),
                          err));
    return qs_hdf5_named_write(file, model, err);
}

static qs_status write(const qs_model *model, unsigned char **bytes, size_t *n, qs_error *err)
{
    qs_hdf5 file;
    QS_TRY(qs_hdf5_create(&file, err));
    qs_status status = write_file(&file, model, err);
    if (status == QS_OK)
        status = qs_hdf5_image(&file, bytes, n, err);
    qs_hdf5_close(&file);
    return status;
}

const qs_file_format qs_file_format_h5 = {
    .name = "h5",
    .ending = ".h5",
    .also = ".hdf5",
    .help = "Keras' whole-model HDF5: layers, weights, training state",
    .architecture = true,
    .weights = true,
    .optimizer = true,
    .copies = 2,
    .read = read,
    .read_weights = read_weights,
    .list = qs_hdf5_list,
    .write = write,
};
