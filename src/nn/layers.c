/* SPDX-License-Identifier: MIT */
/* layers.c - the registry of layers, and what their files share. */
#include <stdio.h>
#include <string.h>

#include "nn/layers/layer.h"

#define QS_LAYER(name) extern const qs_layer_kind qs_layer_##name;
#include "nn/layers.def"
#undef QS_LAYER

static const qs_kind *const kinds[] = {
#define QS_LAYER(name) &qs_layer_##name.kind,
#include "nn/layers.def"
#undef QS_LAYER
    NULL,
};

const qs_registry qs_layer_registry = {"layers", "layer", "keras.layers", kinds};

qs_status qs_layer_last_axis(const qs_layer *layer, const qs_value *axis, qs_error *err)
{
    const double first = axis->list ? axis->list[0] : axis->number;
    const bool one = !axis->list || axis->count == 1;
    if (one && (first == -1 || first == layer->in.rank))
        return QS_OK;
    return qs_fail(err, QS_E_UNSUPPORTED, "axis %g%s is not supported, only the last one (-1) is",
                   first, one ? "" : " and others");
}

qs_status qs_layer_infer_same(qs_model *model, qs_layer *layer, qs_error *err)
{
    (void)model, (void)err;
    layer->out = layer->in;
    return QS_OK;
}

/* The spec of argument NAME_KIND of the layer; NULL where it is null or there is no such one. */
static const qs_spec *related(const qs_layer *layer, const char *name, const char *kind)
{
    char attr[QS_NAME];
    snprintf(attr, sizeof attr, "%s_%s", name, kind);
    for (int i = 0; layer->kind->kind.attrs[i].name; i++)
        if (!strcmp(layer->kind->kind.attrs[i].name, attr))
            return layer->spec->value[i].spec;
    return NULL;
}

static qs_status declare(qs_model *model, qs_layer *layer, const char *name, const qs_shape *shape,
                         bool trainable)
{
    qs_weight *weight =
        qs_model_declare(model, layer, name, shape, trainable, related(layer, name, "initializer"));
    if (!weight)
        return QS_E_NOMEM;
    weight->regularizer = related(layer, name, "regularizer");
    weight->constraint = related(layer, name, "constraint");
    return QS_OK;
}

qs_status qs_layer_weight(qs_model *model, qs_layer *layer, const char *name, const qs_shape *shape,
                          qs_error *err)
{
    if (declare(model, layer, name, shape, true) != QS_OK)
        return qs_fail_memory(err, sizeof(qs_weight), name);
    return QS_OK;
}

qs_status qs_layer_average(qs_model *model, qs_layer *layer, const char *name,
                           const qs_shape *shape, qs_error *err)
{
    if (declare(model, layer, name, shape, false) != QS_OK)
        return qs_fail_memory(err, sizeof(qs_weight), name);
    return QS_OK;
}
