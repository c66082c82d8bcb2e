/* SPDX-License-Identifier: MIT */
/* snapshot.c - weights and optimizer state of a model at one moment, kept in memory. */
#include "train/snapshot.h"

#include <string.h>

#include "base/alloc.h"

/* Array `part` of the model: its weights, then slot after slot; NULL where a weight has no slot. */
static float *array_of(const qs_model *model, int part, size_t *n)
{
    const int slot = part / model->weights - 1, index = part % model->weights;
    *n = qs_shape_count(&model->weight[index].shape);
    return slot < 0 ? model->weight[index].data : model->optim.slot[slot][index];
}

static int parts_of(const qs_model *model)
{
    return model->weights * (1 + model->optim.slots);
}

static void copy_numbers(const qs_optim_state *from, qs_optim_state *to)
{
    to->present = from->present;
    to->iterations = from->iterations;
    to->learning_rate = from->learning_rate;
    to->scalar = from->scalar;
}

qs_status qs_snapshot_take(qs_snapshot *snapshot, const qs_model *model, qs_error *err)
{
    size_t total = 0, n;
    for (int i = 0; i < parts_of(model); i++)
        total += array_of(model, i, &n) ? n : 0;
    if (!snapshot->block)
        snapshot->block = qs_malloc(total * sizeof(float));
    if (!snapshot->block)
        return qs_fail_memory(err, 4.0 * (double)total, "the best model");
    float *to = snapshot->block;
    for (int i = 0; i < parts_of(model); i++) {
        const float *from = array_of(model, i, &n);
        if (from)
            memcpy(to, from, n * sizeof *to);
        to += from ? n : 0;
    }
    copy_numbers(&model->optim, &snapshot->optim);
    return QS_OK;
}

void qs_snapshot_swap(qs_snapshot *snapshot, qs_model *model)
{
    const qs_optim_state now = model->optim;
    float *kept = snapshot->block;
    for (int i = 0; i < parts_of(model); i++) {
        size_t n;
        float *array = array_of(model, i, &n);
        for (size_t k = 0; array && k < n; k++) {
            const float x = array[k];
            array[k] = kept[k];
            kept[k] = x;
        }
        kept += array ? n : 0;
    }
    copy_numbers(&snapshot->optim, &model->optim);
    copy_numbers(&now, &snapshot->optim);
}

void qs_snapshot_free(qs_snapshot *snapshot)
{
    qs_free(snapshot->block);
    *snapshot = (qs_snapshot){0};
}
