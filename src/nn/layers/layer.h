/* SPDX-License-Identifier: MIT */
/* layer.h - what the layers' files share: rows of their tables, checks of their input. Private. */
#ifndef QS_NN_LAYERS_LAYER_H
#define QS_NN_LAYERS_LAYER_H

#include "nn/init.h"
#include "nn/model.h"

/* Rows of a table of attributes. */
#define QS_ARG_INITIALIZER(name, preset, help)                                                     \
    {                                                                                              \
        name, QS_ATTR_SPEC, preset, 0, 0, "initializers", help                                     \
    }
#define QS_ARG_REGULARIZER(name, help)                                                             \
    {                                                                                              \
        name, QS_ATTR_SPEC, "null", 0, 0, "regularizers", help                                     \
    }
#define QS_ARG_CONSTRAINT(name, help)                                                              \
    {                                                                                              \
        name, QS_ATTR_SPEC, "null", 0, 0, "constraints", help                                      \
    }
#define QS_ARG_ACTIVATION(preset, help)                                                            \
    {                                                                                              \
        "activation", QS_ATTR_SPEC, preset, 0, 0, "activations", help                              \
    }
#define QS_ARG_BOOL(name, preset, help)                                                            \
    {                                                                                              \
        name, QS_ATTR_BOOL, preset, 0, 0, NULL, help                                               \
    }
#define QS_ARG_NUMBER(name, preset, min, max, help)                                                \
    {                                                                                              \
        name, QS_ATTR_NUMBER, preset, min, max, NULL, help                                         \
    }
#define QS_ARG_SEED                                                                                \
    {                                                                                              \
        "seed", QS_ATTR_INTEGER, "null", 0, 0, NULL, "kept for Keras; the run's seed decides here" \
    }
#define QS_ARG_FIXED(name, preset)                                                                 \
    {                                                                                              \
        name, QS_ATTR_FIXED, preset, 0, 0, NULL, NULL                                              \
    }

/* Fails unless `axis` (counted with the batch axis, as Keras does) is the last one of the input. */
qs_status qs_layer_last_axis(const qs_layer *layer, const qs_value *axis, qs_error *err);

/* What most layers infer: the same shape comes out, no weights. */
qs_status qs_layer_infer_same(qs_model *model, qs_layer *layer, qs_error *err);

/* A weight of the layer with arguments NAME_initializer and, where the layer has them,
 * NAME_regularizer and NAME_constraint. Errors: no memory. */
qs_status qs_layer_weight(qs_model *model, qs_layer *layer, const char *name, const qs_shape *shape,
                          qs_error *err);

/* The same for a moving average: never trained. */
qs_status qs_layer_average(qs_model *model, qs_layer *layer, const char *name,
                           const qs_shape *shape, qs_error *err);

#endif
