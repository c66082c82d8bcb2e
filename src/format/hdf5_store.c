/* SPDX-License-Identifier: MIT */
/* hdf5_store.c - Keras 3's layout of weights: /layers/dense_1/vars/0, /optimizer/vars/0. */
#include <stdio.h>
#include <string.h>

#include "format/hdf5_model.h"
#include "format/staged.h"

enum { PATH = 512 };

/* Layers go by their class, counted: "dense", "dense_1", whatever they are called themselves. */
static void layer_path(const qs_model *model, int index, const char *root, char path[PATH])
{
    char name[QS_NAME];
    int same = 0;
    for (int i = 0; i < index; i++)
        same += model->layer[i].kind == model->layer[index].kind;
    qs_keras_snake(model->layer[index].kind->kind.keras, name);
    if (same)
        snprintf(path, PATH, "/%s/%s_%d/vars", root, name, same);
    else
        snprintf(path, PATH, "/%s/%s/vars", root, name);
}

static qs_status read_layer(const qs_hdf5 *file, const qs_model *model, int index, const char *root,
                            qs_staged *staged, qs_error *err)
{
    const qs_layer *layer = &model->layer[index];
    char vars[PATH];
    layer_path(model, index, root, vars);
    const size_t n = qs_hdf5_members(file, vars);
    if (n != (size_t)layer->weights)
        return qs_fail(err, QS_E_SHAPE, "%s has %zu weights in the file, the layer %s needs %d",
                       vars, n, layer->name, layer->weights);
    for (int k = 0; k < layer->weights; k++) {
        char path[PATH + 16];
        const int i = layer->first_weight + k;
        float *data = qs_staged_weight(staged, model, i);
        if (!data)
            return qs_fail_memory(err, (double)qs_shape_count(&model->weight[i].shape) * 4,
                                  model->weight[i].name);
        snprintf(path, sizeof path, "%s/%d", vars, k);
        QS_TRY(qs_context(err, qs_hdf5_read(file, path, &model->weight[i].shape, data, err),
                          "weight %s", model->weight[i].name));
    }
    return QS_OK;
}

/* Weights that the file has beyond the model's would be lost. */
static qs_status check_layers(const qs_hdf5 *file, const qs_model *model, const char *root,
                              qs_error *err)
{
    char path[PATH], name[256];
    snprintf(path, sizeof path, "/%s", root);
    const size_t n = qs_hdf5_members(file, path);
    size_t theirs = 0, ours = 0;
    for (size_t i = 0; i < n; i++) {
        char vars[PATH];
        snprintf(vars, sizeof vars, "/%.100s/%s/vars", root, qs_hdf5_member(file, path, i, name));
        theirs += qs_hdf5_members(file, vars) > 0;
    }
    for (int i = 0; i < model->layers; i++)
        ours += model->layer[i].weights > 0;
    if (theirs > ours)
        return qs_fail(err, QS_E_SHAPE, "the file has %zu layers with weights, the model has %zu",
                       theirs, ours);
    return QS_OK;
}

static qs_status read_store(const qs_hdf5 *file, qs_model *model, const char *root, qs_error *err)
{
    qs_staged staged;
    QS_TRY(check_layers(file, model, root, err));
    QS_TRY(qs_staged_open(model, &staged, err));
    qs_status status = QS_OK;
    for (int i = 0; i < model->layers && status == QS_OK; i++)
        if (model->layer[i].weights)
            status = read_layer(file, model, i, root, &staged, err);
    if (status == QS_OK)
        qs_staged_commit(&staged, model);
    qs_staged_close(&staged);
    return status;
}

qs_status qs_hdf5_weights(const qs_hdf5 *file, qs_model *model, qs_error *err)
{
    if (qs_hdf5_has(file, "/model_weights"))
        return qs_hdf5_named_weights(file, "/model_weights", model, err);
    if (qs_hdf5_has(file, "/layers"))
        return read_store(file, model, "layers", err);
    if (qs_hdf5_has(file, "/_layer_checkpoint_dependencies")) /* as tf.keras 2.12 called it */
        return read_store(file, model, "_layer_checkpoint_dependencies", err);
    return qs_hdf5_named_weights(file, "/", model, err);
}

static void state_path(const void *self, size_t index, char path[PATH])
{
    (void)self;
    snprintf(path, PATH, "/optimizer/vars/%zu", index);
}

qs_status qs_hdf5_store_state(const qs_hdf5 *file, qs_model *model, qs_error *err)
{
    const size_t n = qs_hdf5_members(file, "/optimizer/vars");
    bool there;
    QS_TRY(qs_hdf5_state_there(model, n, &there, err));
    return there ? qs_hdf5_state_read(file, model, state_path, NULL, err) : QS_OK;
}

static qs_status write_layer(const qs_hdf5 *file, const qs_model *model, int index, qs_error *err)
{
    const qs_layer *layer = &model->layer[index];
    char vars[PATH];
    layer_path(model, index, "layers", vars);
    QS_TRY(qs_hdf5_group(file, vars, err));
    QS_TRY(qs_hdf5_set_text(file, vars, "name", layer->name, err));
    for (int k = 0; k < layer->weights; k++) {
        char path[PATH + 16];
        const qs_weight *weight = &model->weight[layer->first_weight + k];
        snprintf(path, sizeof path, "%s/%d", vars, k);
        QS_TRY(qs_hdf5_write(file, path, &weight->shape, weight->data, err));
    }
    return QS_OK;
}

qs_status qs_hdf5_store_write(const qs_hdf5 *file, const qs_model *model, qs_error *err)
{
    QS_TRY(qs_hdf5_group(file, "/layers", err));
    QS_TRY(qs_hdf5_group(file, "/vars", err));
    QS_TRY(qs_hdf5_set_text(file, "/vars", "name", model->name, err));
    for (int i = 0; i < model->layers; i++)
        QS_TRY(write_layer(file, model, i, err));
    if (!model->optim.present)
        return QS_OK;
    QS_TRY(qs_hdf5_group(file, "/optimizer/vars", err));
    return qs_hdf5_state_write(file, model, state_path, NULL, err);
}
