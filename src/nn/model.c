/* SPDX-License-Identifier: MIT */
/* model.c - a chain of layers: made, added to, compiled settings, closed. */
#include "nn/model.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "nn/spec_form.h"

enum { NAME_BYTES = 64, SAMPLE_RANK = QS_MAX_RANK - 1 };

static qs_status check_shape(const qs_shape *shape, qs_error *err)
{
    char text[QS_SHAPE_TEXT];
    if (shape->rank < 1 || shape->rank > SAMPLE_RANK)
        return qs_fail(err, QS_E_SHAPE, "samples must have 1 to %d axes, not %d", (int)SAMPLE_RANK,
                       shape->rank);
    const size_t n = qs_shape_count(shape);
    if (!n || n > ((size_t)1 << 40))
        return qs_fail(err, QS_E_SHAPE, "a sample cannot be %s; it must have 1 to 2^40 numbers",
                       qs_shape_text(shape, text));
    return QS_OK;
}

qs_status qs_model_create(const size_t *shape, int rank, qs_model **out, qs_error *err)
{
    qs_shape input = {.rank = rank};
    for (int i = 0; i < rank && i < QS_MAX_RANK; i++)
        input.dim[i] = shape[i];
    QS_TRY(qs_context(err, check_shape(&input, err), "input"));

    qs_model *model = qs_calloc(1, sizeof *model);
    if (!model)
        return qs_fail_memory(err, sizeof *model, "a model");
    model->input = input;
    model->format = "memory";
    snprintf(model->name, sizeof model->name, "sequential");
    snprintf(model->input_name, sizeof model->input_name, "input_layer");
    model->optim.scalar = 1;
    *out = model;
    return QS_OK;
}

static void free_slots(qs_model *model)
{
    for (int slot = 0; slot < model->optim.slots; slot++) {
        for (int i = 0; model->optim.slot[slot] && i < model->weights; i++)
            qs_free(model->optim.slot[slot][i]);
        qs_free(model->optim.slot[slot]);
    }
    model->optim = (qs_optim_state){.scalar = 1};
}

void qs_model_close(qs_model *model)
{
    if (!model)
        return;
    free_slots(model);
    for (int i = 0; i < model->weights; i++)
        qs_free(model->weight[i].data);
    for (int i = 0; i < model->settings; i++)
        qs_free(model->setting[i].text);
    qs_arena_free(&model->arena);
    qs_free(model);
}

/* A bigger copy of items[n] where there is no room for one more; NULL when memory runs out. */
static void *make_room(qs_arena *arena, void *items, int n, int *room, size_t size)
{
    if (n < *room)
        return items;
    const int more = *room ? 2 * *room : 8;
    void *bigger = qs_arena_alloc(arena, (size_t)more, size);
    if (!bigger)
        return NULL;
    if (n)
        memcpy(bigger, items, (size_t)n * size);
    *room = more;
    return bigger;
}

const char *qs_keras_snake(const char *class_name, char text[QS_NAME])
{
    size_t at = 0;
    for (size_t i = 0; class_name[i] && at + 2 < QS_NAME; i++) {
        const unsigned char c = (unsigned char)class_name[i];
        const int before = i ? (unsigned char)class_name[i - 1] : 0;
        if (i && isupper(c) && (islower(before) || islower((unsigned char)class_name[i + 1])))
            text[at++] = '_';
        text[at++] = (char)tolower(c);
    }
    text[at] = 0;
    return text;
}

static bool taken(const qs_model *model, const char *name)
{
    for (int i = 0; i < model->layers; i++)
        if (!strcmp(model->layer[i].name, name))
            return true;
    return !strcmp(model->input_name, name);
}

qs_status qs_model_check_name(const qs_model *model, const char *name, qs_error *err)
{
    bool plain = !strchr(name, '/');
    for (const char *c = name; *c; c++)
        plain &= !iscntrl((unsigned char)*c); /* names are shown on terminals */
    if (!*name || strlen(name) > NAME_BYTES || !plain)
        return qs_fail(err, QS_E_ARG,
                       "'%.70s' cannot name a layer: 1 to %d bytes without '/' and control "
                       "characters",
                       name, (int)NAME_BYTES);
    if (taken(model, name))
        return qs_fail(err, QS_E_ARG, "the name '%s' is there already", name);
    return QS_OK;
}

/* "dense", "dense_1", … : the first that is free. */
static void number_name(const qs_model *model, const qs_layer_kind *kind, char name[QS_NAME])
{
    char base[QS_NAME];
    qs_keras_snake(kind->kind.keras, base);
    snprintf(name, QS_NAME, "%s", base);
    for (int i = 1; taken(model, name); i++)
        snprintf(name, QS_NAME, "%.64s_%d", base, i);
}

static const char *options_text(qs_model *model, const qs_spec *spec)
{
    char *text = qs_spec_options(spec);
    const char *copy = text ? qs_arena_text(&model->arena, text) : NULL;
    qs_free(text);
    return copy;
}

static void forget_weights(qs_model *model, int first)
{
    for (int i = first; i < model->weights; i++)
        qs_free(model->weight[i].data);
    model->weights = first;
}

static qs_status check_layer(const qs_model *model, const qs_layer *layer, qs_error *err)
{
    QS_TRY(check_shape(&layer->out, err));
    for (int i = layer->first_weight; i < model->weights; i++) {
        char text[QS_SHAPE_TEXT];
        const qs_shape *shape = &model->weight[i].shape;
        if (qs_shape_count(shape) > ((size_t)1 << 40))
            return qs_fail(err, QS_E_SHAPE, "a weight cannot be %s", qs_shape_text(shape, text));
    }
    return QS_OK;
}

qs_status qs_model_add_spec(qs_model *model, const qs_spec *spec, const char *name, bool trainable,
                            qs_error *err)
{
    const qs_layer_kind *kind = (const qs_layer_kind *)(const void *)spec->kind;
    if (name)
        QS_TRY(qs_model_check_name(model, name, err));
    qs_layer *list =
        make_room(&model->arena, model->layer, model->layers, &model->layer_room, sizeof *list);
    if (!list)
        return qs_fail_memory(err, sizeof *list, "a layer");
    model->layer = list;

    qs_layer *layer = &list[model->layers];
    *layer = (qs_layer){.kind = kind, .spec = spec, .trainable = trainable};
    layer->in = model->layers ? list[model->layers - 1].out : model->input;
    layer->first_weight = model->weights;
    if (name)
        snprintf(layer->name, sizeof layer->name, "%s", name);
    else
        number_name(model, kind, layer->name);
    layer->options = options_text(model, spec);
    if (!layer->options)
        return qs_fail_memory(err, sizeof *layer, "a layer");

    qs_status status = kind->infer(model, layer, err);
    if (status == QS_OK)
        status = check_layer(model, layer, err);
    if (status != QS_OK) {
        forget_weights(model, layer->first_weight);
        return qs_context(err, status, "layer %d (%s)", model->layers, layer->name);
    }
    layer->weights = model->weights - layer->first_weight;
    model->layers++;
    return QS_OK;
}

/* As Keras counts them: the last two axes, times the receptive field before them. */
static void set_fans(qs_weight *weight)
{
    const qs_shape *shape = &weight->shape;
    size_t field = 1;
    for (int i = 0; i < shape->rank - 2; i++)
        field *= shape->dim[i];
    const size_t last = shape->rank ? shape->dim[shape->rank - 1] : 1;
    weight->fan_out = last * field;
    weight->fan_in = shape->rank > 1 ? shape->dim[shape->rank - 2] * field : last;
}

qs_weight *qs_model_declare(qs_model *model, qs_layer *layer, const char *name,
                            const qs_shape *shape, bool trainable, const qs_spec *initializer)
{
    qs_weight *list =
        make_room(&model->arena, model->weight, model->weights, &model->weight_room, sizeof *list);
    if (!list)
        return NULL;
    model->weight = list;
    qs_weight *weight = &list[model->weights++];
    *weight = (qs_weight){
        .shape = *shape, .trainable = trainable && layer->trainable, .initializer = initializer};
    snprintf(weight->name, sizeof weight->name, "%.64s/%.28s", layer->name, name);
    set_fans(weight);
    return weight;
}

qs_status qs_model_set(qs_model *model, const char *key, const char *text, qs_error *err)
{
    static const char *const keys[] = {
        "loss",
        "optimizer",
        "learning_rate",
        "metrics",
        "weighted_metrics",
        "batch_size",
        "epochs",
        "seed",
        "reduce_lr",
        "early_stopping",
        "class_weight",
        "precision",
        "data.train",
        "data.valid",
        "data.test",
        "data.scale",
        "data.validation_split",
        "data.shuffle",
    };
    _Static_assert(sizeof keys / sizeof *keys <= QS_MODEL_SETTINGS, "room for each setting");
    const char *known = NULL;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!strcmp(keys[i], key))
            known = keys[i];
    if (!known)
        return qs_fail(err, QS_E_ARG, "unknown setting '%.60s'", key);
    const char *held = qs_model_setting(model, known);
    if (held && text && !strcmp(held, text))
        return QS_OK;
    char *copy = qs_strdup(text);
    if (text && !copy)
        return qs_fail_memory(err, (double)strlen(text), "a setting");

    int at = 0;
    while (at < model->settings && model->setting[at].key != known)
        at++;
    if (at == model->settings)
        model->setting[model->settings++].key = known;
    qs_free(model->setting[at].text);
    model->setting[at].text = copy;
    return QS_OK;
}

const char *qs_model_setting(const qs_model *model, const char *key)
{
    for (int i = 0; i < model->settings; i++)
        if (!strcmp(model->setting[i].key, key))
            return model->setting[i].text;
    return NULL;
}

qs_status qs_model_optim_alloc(qs_model *model, int slots, qs_error *err)
{
    free_slots(model);
    model->optim.slots = slots;
    for (int slot = 0; slot < slots; slot++) {
        float **arrays = qs_calloc((size_t)model->weights, sizeof *arrays);
        model->optim.slot[slot] = arrays;
        for (int i = 0; arrays && i < model->weights; i++) {
            const size_t n = qs_shape_count(&model->weight[i].shape);
            if (!model->weight[i].trainable)
                continue;
            arrays[i] = qs_calloc(n, sizeof(float));
            if (!arrays[i])
                arrays = NULL;
        }
        if (!arrays) {
            free_slots(model);
            return qs_fail_memory(err, 4.0 * (double)qs_model_params(model),
                                  "the optimizer's state");
        }
    }
    return QS_OK;
}
