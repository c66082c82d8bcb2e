/* SPDX-License-Identifier: MIT */
/* reshape.c - other axes for the same elements; no arithmetic. */
#include "nn/emit.h"
#include "nn/layers/layer.h"

enum { TARGET_SHAPE, MOST = QS_MAX_RANK - 1 };

static const qs_attr attrs[] = {
    [TARGET_SHAPE] = {"target_shape", QS_ATTR_NUMBERS, NULL, -1, 1 << 30, "integer",
                      "axes of a sample; one may be -1: what is left"},
    {0},
};

/* The axes as given, with 1 for the open one, whose place is *open (-1: none). */
static qs_status read_axes(const qs_value *target, qs_shape *out, int *open, qs_error *err)
{
    if (target->count < 1 || target->count > MOST)
        return qs_fail(err, QS_E_SHAPE, "target_shape has %zu axes, not 1 to %d", target->count,
                       (int)MOST);
    *open = -1;
    *out = (qs_shape){.rank = (int)target->count};
    for (int i = 0; i < out->rank; i++) {
        const double axis = target->list[i];
        if (axis == 0 || (axis < 0 && *open >= 0))
            return qs_fail(err, QS_E_SHAPE, "target_shape may have one -1 and no 0");
        if (axis < 0)
            *open = i;
        out->dim[i] = axis < 0 ? 1 : (size_t)axis;
    }
    return QS_OK;
}

static qs_status infer(qs_model *model, qs_layer *layer, qs_error *err)
{
    (void)model;
    int open = -1;
    qs_shape out;
    QS_TRY(read_axes(&layer->spec->value[TARGET_SHAPE], &out, &open, err));
    const size_t have = qs_shape_count(&layer->in), known = qs_shape_count(&out);
    char from[QS_SHAPE_TEXT], to[QS_SHAPE_TEXT];
    if (open >= 0 ? have % known : have != known)
        return qs_fail(err, QS_E_SHAPE, "%s has %zu elements and does not fit %s",
                       qs_shape_text(&layer->in, from), have, qs_shape_text(&out, to));
    if (open >= 0)
        out.dim[open] = have / known;
    layer->out = out;
    return QS_OK;
}

/* Elements keep their order: nothing to run. */
static qs_status emit(QS_EMIT_ARGS)
{
    (void)graph, (void)model, (void)layer, (void)err;
    *out = in;
    return QS_OK;
}

const qs_layer_kind qs_layer_reshape = {
    .kind = {"reshape", "Reshape", NULL, attrs, "other axes for the same elements", "target_shape"},
    .infer = infer,
    .emit = emit,
};
