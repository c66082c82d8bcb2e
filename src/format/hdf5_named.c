/* SPDX-License-Identifier: MIT */
/* hdf5_named.c - the older layout: a group for each layer's name, lists of names as attributes. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "format/hdf5_model.h"
#include "format/optim_layout.h"
#include "format/staged.h"

enum { PATH = 512, MOST_WEIGHTS = 16 }; /* of a layer */

static const char *join(const char *root, const char *name, char path[PATH])
{
    const int n = snprintf(path, PATH, "%s/%s", strcmp(root, "/") ? root : "", name);
    if (n >= PATH)
        *path = 0; /* longer than any name of Keras: not found */
    return path;
}

static qs_status read_weight(const qs_hdf5 *file, const char *path, const qs_model *model,
                             int index, qs_staged *staged, qs_error *err)
{
    float *data = qs_staged_weight(staged, model, index);
    const qs_weight *weight = &model->weight[index];
    if (!data)
        return qs_fail_memory(err, (double)qs_shape_count(&weight->shape) * 4, weight->name);
    return qs_context(err, qs_hdf5_read(file, path, &weight->shape, data, err), "weight %s",
                      weight->name);
}

/* The weights of one group of the file are those of the model's next layer that has any. */
static qs_status read_group(const qs_hdf5 *file, const char *group, const qs_hdf5_texts *names,
                            const qs_model *model, int *next, qs_staged *staged, qs_error *err)
{
    while (*next < model->layers && !model->layer[*next].weights)
        ++*next;
    if (*next == model->layers)
        return qs_fail(err, QS_E_SHAPE, "%s has weights, but the model has no more layers with any",
                       group);
    const qs_layer *layer = &model->layer[(*next)++];
    if (names->count != (size_t)layer->weights)
        return qs_fail(err, QS_E_SHAPE, "%s has %zu weights in the file, the layer %s needs %d",
                       group, names->count, layer->name, layer->weights);
    for (int k = 0; k < layer->weights; k++) {
        char path[PATH];
        QS_TRY(read_weight(file, join(group, names->text[k], path), model, layer->first_weight + k,
                           staged, err));
    }
    return QS_OK;
}

static qs_status read_groups(const qs_hdf5 *file, const char *root, const qs_hdf5_texts *layers,
                             const qs_model *model, qs_staged *staged, qs_error *err)
{
    int next = 0;
    for (size_t i = 0; i < layers->count; i++) {
        char group[PATH];
        qs_hdf5_texts names = {0};
        join(root, layers->text[i], group);
        qs_status status = qs_hdf5_texts_read(file, group, "weight_names", &names, err);
        if (status == QS_OK && names.count)
            status = read_group(file, group, &names, model, &next, staged, err);
        qs_hdf5_texts_free(&names);
        QS_TRY(status);
    }
    for (; next < model->layers; next++)
        if (model->layer[next].weights)
            return qs_fail(err, QS_E_SHAPE, "the file has no weights for the layer %s",
                           model->layer[next].name);
    return QS_OK;
}

qs_status qs_hdf5_named_weights(const qs_hdf5 *file, const char *root, qs_model *model,
                                qs_error *err)
{
    qs_hdf5_texts layers = {0};
    qs_staged staged = {0};
    QS_TRY(qs_hdf5_texts_read(file, root, "layer_names", &layers, err));
    qs_status status = QS_OK;
    if (!layers.count)
        status = qs_fail(err, QS_E_FORMAT, "an HDF5 file without the weights of a Keras model");
    if (status == QS_OK)
        status = qs_staged_open(model, &staged, err);
    if (status == QS_OK)
        status = read_groups(file, root, &layers, model, &staged, err);
    if (status == QS_OK)
        qs_staged_commit(&staged, model);
    qs_staged_close(&staged);
    qs_hdf5_texts_free(&layers);
    return status;
}

/* Paths of optimizer variables are the texts of a list. */
static void listed_path(const void *self, size_t index, char path[PATH])
{
    const qs_hdf5_texts *names = self;
    join("/optimizer_weights", names->text[index], path);
}

static qs_status read_state(const qs_hdf5 *file, qs_model *model, const qs_hdf5_texts *names,
                            qs_error *err)
{
    bool there;
    QS_TRY(qs_hdf5_state_there(model, names->count, &there, err));
    return there ? qs_hdf5_state_read(file, model, listed_path, names, err) : QS_OK;
}

/* Keras 2 kept other variables in another order: then training starts with a fresh state, as Keras
 * 3 does with such files. */
static qs_status is_keras_3(const qs_hdf5 *file, bool *yes, qs_error *err)
{
    char *version = NULL;
    QS_TRY(qs_hdf5_text(file, "/", "keras_version", &version, err));
    *yes = version && *version >= '3' && version[1] == '.';
    qs_free(version);
    return QS_OK;
}

qs_status qs_hdf5_named_state(const qs_hdf5 *file, qs_model *model, qs_error *err)
{
    bool fits;
    QS_TRY(is_keras_3(file, &fits, err));
    if (!fits || !qs_hdf5_has(file, "/optimizer_weights"))
        return QS_OK;
    qs_hdf5_texts names = {0};
    QS_TRY(qs_hdf5_texts_read(file, "/optimizer_weights", "weight_names", &names, err));
    const qs_status status = read_state(file, model, &names, err);
    qs_hdf5_texts_free(&names);
    return status;
}

/* Names of a layer's weights as Keras has them: "sequential/dense/kernel". */
static qs_status write_group(const qs_hdf5 *file, const qs_model *model, const qs_layer *layer,
                             qs_error *err)
{
    char group[PATH], path[2 * PATH], name[MOST_WEIGHTS][PATH];
    const char *names[MOST_WEIGHTS];
    if (layer->weights > MOST_WEIGHTS)
        return qs_fail(err, QS_E_UNSUPPORTED, "layer %s has %d weights, more than %d", layer->name,
                       layer->weights, (int)MOST_WEIGHTS);
    snprintf(group, sizeof group, "/model_weights/%s", layer->name);
    QS_TRY(qs_hdf5_group(file, group, err));
    for (int k = 0; k < layer->weights; k++) {
        const qs_weight *weight = &model->weight[layer->first_weight + k];
        snprintf(name[k], sizeof name[k], "%s/%s", model->name, weight->name);
        names[k] = name[k];
        snprintf(path, sizeof path, "%s/%s", group, name[k]);
        QS_TRY(qs_hdf5_write(file, path, &weight->shape, weight->data, err));
    }
    return qs_hdf5_set_texts(file, group, "weight_names", names, (size_t)layer->weights, err);
}

static qs_status write_layer_names(const qs_hdf5 *file, const qs_model *model, qs_error *err)
{
    const char **names = qs_calloc((size_t)model->layers, sizeof *names);
    if (!names)
        return qs_fail_memory(err, (double)model->layers * sizeof *names, "a list of layers");
    for (int i = 0; i < model->layers; i++)
        names[i] = model->layer[i].name;
    const qs_status status =
        qs_hdf5_set_texts(file, "/model_weights", "layer_names", names, (size_t)model->layers, err);
    qs_free(names);
    return status;
}

/* "nadam/sequential_dense_kernel_momentum", as Keras names them. */
static void variable_name(const qs_model *model, const qs_optim_layout *layout, size_t index,
                          char name[PATH])
{
    const qs_optim_variable *variable = &layout->variable[index];
    if (variable->part != QS_PART_SLOT) {
        snprintf(name, PATH, "%s/%s", layout->optimizer, variable->name);
        return;
    }
    snprintf(name, PATH, "%s/%s_%s_%s", layout->optimizer, model->name,
             model->weight[variable->weight].name, variable->name);
    for (char *c = strchr(name, '/') + 1; *c; c++)
        if (*c == '/')
            *c = '_';
}

static qs_status write_state(const qs_hdf5 *file, const qs_model *model,
                             const qs_optim_layout *layout, qs_hdf5_texts *names, qs_error *err)
{
    for (size_t i = 0; i < layout->count; i++) {
        char name[PATH];
        variable_name(model, layout, i, name);
        names->text[i] = qs_strdup(name);
        if (!names->text[i])
            return qs_fail_memory(err, PATH, "a name");
    }
    QS_TRY(qs_hdf5_group(file, "/optimizer_weights", err));
    QS_TRY(qs_hdf5_set_texts(file, "/optimizer_weights", "weight_names",
                             (const char *const *)names->text, names->count, err));
    return qs_hdf5_state_write(file, model, listed_path, names, err);
}

static qs_status write_optimizer(const qs_hdf5 *file, const qs_model *model, qs_error *err)
{
    qs_optim_layout layout;
    QS_TRY(qs_optim_layout_open(model, &layout, err));
    qs_hdf5_texts names = {qs_calloc(layout.count, sizeof(char *)), layout.count};
    qs_status status = names.text ? QS_OK : qs_fail_memory(err, PATH, "a list of names");
    if (names.text && layout.count)
        status = write_state(file, model, &layout, &names, err);
    if (names.text)
        qs_hdf5_texts_free(&names);
    qs_optim_layout_close(&layout);
    return status;
}

qs_status qs_hdf5_named_write(const qs_hdf5 *file, const qs_model *model, qs_error *err)
{
    QS_TRY(qs_hdf5_group(file, "/model_weights", err));
    QS_TRY(write_layer_names(file, model, err));
    QS_TRY(qs_hdf5_set_text(file, "/model_weights", "backend", "tensorflow", err));
    QS_TRY(qs_hdf5_set_text(file, "/model_weights", "keras_version", "3.15.1", err));
    for (int i = 0; i < model->layers; i++)
        QS_TRY(write_group(file, model, &model->layer[i], err));
    QS_TRY(qs_hdf5_group(file, "/model_weights/top_level_model_weights", err));
    QS_TRY(qs_hdf5_set_texts(file, "/model_weights/top_level_model_weights", "weight_names", NULL,
                             0, err));
    return model->optim.present ? write_optimizer(file, model, err) : QS_OK;
}
