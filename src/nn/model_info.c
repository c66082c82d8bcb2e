/* SPDX-License-Identifier: MIT */
/* model_info.c - what a model is, for who asks. */
#include <string.h>

#include "nn/model.h"

const char *qs_model_name(const qs_model *model)
{
    return model->name;
}

const char *qs_model_format(const qs_model *model)
{
    return model->format;
}

static size_t params(const qs_model *model, int first, int n)
{
    size_t sum = 0;
    for (int i = first; i < first + n; i++)
        sum += qs_shape_count(&model->weight[i].shape);
    return sum;
}

size_t qs_model_params(const qs_model *model)
{
    return params(model, 0, model->weights);
}

size_t qs_model_layers(const qs_model *model)
{
    return (size_t)model->layers;
}

size_t qs_model_weights(const qs_model *model)
{
    return (size_t)model->weights;
}

void qs_model_input(const qs_model *model, int *rank, size_t shape[QS_MAX_RANK])
{
    *rank = model->input.rank;
    memcpy(shape, model->input.dim, sizeof model->input.dim);
}

size_t qs_model_outputs(const qs_model *model)
{
    return qs_shape_count(model->layers ? &model->layer[model->layers - 1].out : &model->input);
}

size_t qs_model_classes(const qs_model *model)
{
    const qs_shape *out = model->layers ? &model->layer[model->layers - 1].out : &model->input;
    return out->rank ? out->dim[out->rank - 1] : 1;
}

qs_status qs_model_layer(const qs_model *model, size_t index, qs_layer_info *out, qs_error *err)
{
    if (index >= (size_t)model->layers)
        return qs_fail(err, QS_E_ARG, "there is no layer %zu, the model has %d", index,
                       model->layers);
    const qs_layer *layer = &model->layer[index];
    *out = (qs_layer_info){
        .name = layer->name,
        .type = layer->kind->kind.name,
        .rank = layer->out.rank,
        .params = params(model, layer->first_weight, layer->weights),
        .trainable = layer->trainable,
        .options = layer->options,
    };
    memcpy(out->output, layer->out.dim, sizeof out->output);
    return QS_OK;
}

qs_status qs_model_weight(const qs_model *model, size_t index, qs_weight_info *out, qs_error *err)
{
    if (index >= (size_t)model->weights)
        return qs_fail(err, QS_E_ARG, "there is no weight %zu, the model has %d", index,
                       model->weights);
    const qs_weight *weight = &model->weight[index];
    *out = (qs_weight_info){
        .name = weight->name,
        .rank = weight->shape.rank,
        .trainable = weight->trainable,
        .data = weight->data,
    };
    memcpy(out->shape, weight->shape.dim, sizeof out->shape);
    return QS_OK;
}

const qs_value *qs_spec_value(const qs_spec *spec, const char *attr)
{
    for (int i = 0; spec->kind->attrs && spec->kind->attrs[i].name; i++)
        if (!strcmp(spec->kind->attrs[i].name, attr))
            return &spec->value[i];
    return NULL;
}
