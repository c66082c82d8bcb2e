/* SPDX-License-Identifier: MIT */
/* model_weights.c - memory and first values of weights. */
#include <string.h>

#include "base/alloc.h"
#include "base/memory.h"
#include "base/rng.h"
#include "nn/init.h"
#include "nn/model.h"

static qs_status weight_alloc(qs_weight *weight, qs_error *err)
{
    const size_t n = qs_shape_count(&weight->shape);
    weight->data = qs_calloc(n, sizeof(float));
    if (!weight->data)
        return qs_context(err, qs_fail_memory(err, 4.0 * (double)n, "a weight"), "%s",
                          weight->name);
    return QS_OK;
}

qs_status qs_model_weights_alloc(qs_model *model, qs_error *err)
{
    for (int i = 0; i < model->weights; i++)
        if (!model->weight[i].data)
            QS_TRY(weight_alloc(&model->weight[i], err));
    return QS_OK;
}

/* The numbers of weight `index` of layer `layer` depend on the seed and these two alone. */
static qs_status draw(qs_weight *weight, uint64_t seed, int layer, int index, qs_error *err)
{
    const qs_spec *spec = weight->initializer;
    QS_TRY(weight_alloc(weight, err));
    const qs_status status =
        qs_initialize(spec,
                      &(qs_fill){.shape = &weight->shape,
                                 .fan_in = weight->fan_in,
                                 .fan_out = weight->fan_out,
                                 .key = qs_key(seed, (uint64_t)layer, (uint64_t)index),
                                 .data = weight->data},
                      err);
    if (status != QS_OK) {
        qs_free(weight->data);
        weight->data = NULL;
    }
    return qs_context(err, status, "%s", weight->name);
}

/* Before the first is drawn: it takes a while to fill a machine. */
static qs_status check_memory(const qs_model *model, qs_error *err)
{
    double floats = 0;
    for (int i = 0; i < model->weights; i++)
        if (!model->weight[i].data)
            floats += (double)qs_shape_count(&model->weight[i].shape);
    return qs_memory_check(sizeof(float) * floats, "the model", err);
}

qs_status qs_model_init(qs_model *model, uint64_t seed, qs_error *err)
{
    QS_TRY(check_memory(model, err));
    for (int i = 0; i < model->layers; i++) {
        const qs_layer *layer = &model->layer[i];
        for (int k = 0; k < layer->weights; k++) {
            qs_weight *weight = &model->weight[layer->first_weight + k];
            if (!weight->data)
                QS_TRY(draw(weight, seed, i, k, err));
        }
    }
    return QS_OK;
}

qs_status qs_model_set_weight(qs_model *model, size_t index, const float *data, size_t n,
                              qs_error *err)
{
    if (index >= (size_t)model->weights)
        return qs_fail(err, QS_E_ARG, "there is no weight %zu, the model has %d", index,
                       model->weights);
    qs_weight *weight = &model->weight[index];
    char shape[QS_SHAPE_TEXT];
    if (n != qs_shape_count(&weight->shape))
        return qs_fail(err, QS_E_SHAPE, "weight %zu (%s) is %s = %zu numbers, not %zu", index,
                       weight->name, qs_shape_text(&weight->shape, shape),
                       qs_shape_count(&weight->shape), n);
    if (!weight->data)
        QS_TRY(weight_alloc(weight, err));
    memcpy(weight->data, data, n * sizeof *data);
    weight->loaded = true;
    return QS_OK;
}
