/* SPDX-License-Identifier: MIT */
/* model.h - the graph: layers with inferred shapes, weights in Keras' layout. Private.
 *
 * Knows nothing of devices. Formats fill it and read it; the trainer compiles it.
 */
#ifndef QS_NN_MODEL_H
#define QS_NN_MODEL_H

#include <stdint.h>

#include "base/arena.h"
#include "nn/spec.h"
#include "quickstep/model.h"
#include "tensor/shape.h"

enum { QS_NAME = 96, QS_MODEL_SETTINGS = 32, QS_STATE_SLOTS = 4 };

typedef struct qs_weight {
    char name[QS_NAME]; /* "dense/kernel" */
    qs_shape shape;     /* Keras' */
    bool trainable;     /* layer frozen or moving average: false */
    bool loaded;        /* a file or the caller set it: qs_model_init() leaves it alone */
    const qs_spec *initializer, *regularizer,
        *constraint;        /* regularizer, constraint: NULL where none */
    size_t fan_in, fan_out; /* for variance-scaling initialisers */
    float *data;            /* [count] owned by the model, NULL before init or load */
} qs_weight;

typedef struct qs_layer {
    char name[QS_NAME];
    const struct qs_layer_kind *kind;
    const qs_spec *spec;
    bool trainable;
    qs_shape in, out; /* of a sample */
    int first_weight, weights;
    const char *options; /* as a recipe would write them */
} qs_layer;

/* State of the optimizer, in Keras' layout, for files and for going on. */
typedef struct qs_optim_state {
    bool present;
    uint64_t iterations;
    double learning_rate; /* as last set; 0 where the optimizer's own holds */
    double scalar;        /* Nadam's product of mu; 1 at the start */
    int slots;
    float **slot[QS_STATE_SLOTS]; /* [slot][weight] each [count]; NULL where not trainable */
} qs_optim_state;

struct qs_model {
    qs_arena
        arena; /* all of it but weight data, optimizer slots and settings, which are qs_malloc'ed */
    char name[QS_NAME];
    const char *format;
    qs_shape input;
    char input_name[QS_NAME];
    qs_layer *layer; /* without the input */
    int layers, layer_room;
    qs_weight *weight;
    int weights, weight_room;
    struct {
        const char *key; /* from the list at qs_model_setting() */
        char *text;
    } setting[QS_MODEL_SETTINGS];
    int settings;
    qs_optim_state optim;
};

struct qs_graph;

typedef struct qs_layer_kind {
    qs_kind kind;

    /* Set layer->out from layer->in and declare weights with qs_model_declare(), in Keras' order.
     */
    qs_status (*infer)(qs_model *model, qs_layer *layer, qs_error *err);

    /* Append the forward calls for tensor `in` to the graph; *out is the tensor that comes out. */
    qs_status (*emit)(struct qs_graph *graph, const qs_model *model, const qs_layer *layer, int in,
                      int *out, qs_error *err);
} qs_layer_kind;

extern const qs_registry qs_layer_registry;

/* Add a layer of known spec; name NULL: "dense", "dense_1", … as Keras numbers them. */
qs_status qs_model_add_spec(qs_model *model, const qs_spec *spec, const char *name, bool trainable,
                            qs_error *err);

/* Declare a weight of the layer being inferred; name without the layer's. Returns NULL when memory
 * runs out. */
qs_weight *qs_model_declare(qs_model *model, qs_layer *layer, const char *name,
                            const qs_shape *shape, bool trainable, const qs_spec *initializer);

/* Snake case as Keras makes names of classes: "LeakyReLU" gives "leaky_re_lu"; returns text. */
const char *qs_keras_snake(const char *class_name, char text[QS_NAME]);

/* Fails where `name` cannot name a layer here: too long, empty, with a '/', or there already. */
qs_status qs_model_check_name(const qs_model *model, const char *name, qs_error *err);

/* Make room for the optimizer's state: slots arrays for each trainable weight, zeroed. Frees what
 * was there. */
qs_status qs_model_optim_alloc(qs_model *model, int slots, qs_error *err);

/* Give every weight memory (zeroed). */
qs_status qs_model_weights_alloc(qs_model *model, qs_error *err);

/* Elements of the last axis of a sample's output: what one class label can name. */
size_t qs_model_classes(const qs_model *model);

/* Value of an attribute of a layer or other spec by name; asserts that the kind has it. */
const qs_value *qs_spec_value(const qs_spec *spec, const char *attr);

#endif
