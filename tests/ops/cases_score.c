/* SPDX-License-Identifier: MIT */
/* cases_score.c - the ends of a network: rows and labels in, losses and metrics out. */
#include <math.h>
#include <string.h>

#include "cases.h"

/* ---- stored rows ---- */

static void store_element(rig *r, qs_dtype dtype, void *at, size_t i, double low, double high)
{
    const double x = rig_between(r, low, high);
#define STORE(name, type)                                                                          \
    case name:                                                                                     \
        ((type *)at)[i] = (type)x;                                                                 \
        break;
    switch (dtype) {
        STORE(QS_F32, float)
        STORE(QS_F64, double)
        STORE(QS_U8, uint8_t)
        STORE(QS_I8, int8_t)
        STORE(QS_I16, int16_t)
        STORE(QS_U16, uint16_t)
        STORE(QS_I32, int32_t)
        STORE(QS_U32, uint32_t)
        STORE(QS_I64, int64_t)
    }
#undef STORE
}

static void *store_numbers(rig *r, qs_dtype dtype, size_t n, double low, double high)
{
    void *at = rig_store(r, n * qs_dtype_bytes(dtype));
    for (size_t i = 0; i < n; i++)
        store_element(r, dtype, at, i, low, high);
    return at;
}

static qs_dtype pick_dtype(rig *r)
{
    return r->large ? QS_U8 : (qs_dtype)rig_between(r, 0, QS_I64 + 1);
}

/* Rows in the order of the batch, or by index out of more; returns how many are stored. */
static size_t order_rows(rig *r)
{
    qs_rows *rows = &r->step.rows;
    if (!r->large && rig_flip(r))
        return r->n;
    const size_t stored = r->n + 7;
    uint32_t *index = rig_store(r, r->n * sizeof *index);
    for (size_t i = 0; i < r->n; i++)
        index[i] = (uint32_t)rig_between(r, 0, (double)stored);
    rows->index = index;
    return stored;
}

static void scale_rows(rig *r, size_t stored, double range)
{
    qs_rows *rows = &r->step.rows;
    if (rig_flip(r))
        rows->row_factor = store_numbers(r, QS_F32, stored, 0.1, 2);
    if (rig_flip(r))
        return;
    rows->affine = rig_flip(r) ? 1 : rows->features;
    rows->mul = store_numbers(r, QS_F32, rows->affine, 0.5 / range, 1 / range);
    if (rig_flip(r))
        rows->add = store_numbers(r, QS_F32, rows->affine, -1, 1);
}

SETUP(gather)
{
    qs_rows *rows = &r->step.rows;
    const size_t stored = order_rows(r);
    rows->features = rig_pick(r, 100);
    rows->x_type = pick_dtype(r);
    const bool real = rows->x_type == QS_F32 || rows->x_type == QS_F64;
    const bool positive = rows->x_type == QS_U8 || rows->x_type == QS_U16 || rows->x_type == QS_U32;
    const double high = real ? 1 : positive ? 255 : 127, low = positive ? 0 : -high;
    rows->x = store_numbers(r, rows->x_type, stored * rows->features, low, high);
    scale_rows(r, stored, high);
    r->out[0] = rig_lanes(r, "x", RIG_WRITE, rows->features);
    rig_need_zero(r, r->out[0]);
}

/* Integer classes, or a float for each output. */
static void store_labels(rig *r, size_t stored, size_t outputs)
{
    qs_rows *rows = &r->step.rows;
    rows->y_type = pick_dtype(r);
    if (rows->y_type == QS_F32 || rows->y_type == QS_F64) {
        rows->y_type = QS_F32;
        rows->outputs = outputs;
        rows->y = store_numbers(r, QS_F32, stored * outputs, 0, 1);
        return;
    }
    rows->y = store_numbers(r, rows->y_type, stored, 0, outputs == 1 ? 3 : (double)outputs);
}

SETUP(targets)
{
    const size_t stored = order_rows(r), outputs = rig_pick(r, 12);
    store_labels(r, stored, outputs);
    if (rig_flip(r))
        r->step.rows.weight = store_numbers(r, QS_F32, stored, 0, 2);
    if (rig_flip(r))
        r->step.class_weight = store_numbers(r, QS_F32, outputs < 3 ? 3 : outputs, 0.5, 2);
    r->dim[0] = (int32_t)outputs;
    r->out[0] = rig_lanes(r, "targets", RIG_WRITE, outputs);
    r->out[1] = rig_lanes(r, "weights", RIG_WRITE, 2);
    rig_need_zero(r, r->out[0]);
    rig_need_zero(r, r->out[1]);
}

/* ---- losses, metrics ---- */

/* What a loss is of: which numbers its two sides can be. */
typedef enum sides {
    VALUES,        /* any and any */
    POSITIVE,      /* both above 0 */
    PROBABILITIES, /* a row of probabilities, one-hot */
    LOGITS,        /* any, one-hot */
    SIGMOIDS,      /* in (0, 1) and 0 or 1 */
    SIGNS          /* any, and 0 or 1 */
} sides;

static sides loss_sides(int loss)
{
    switch (loss) {
    case QS_LOSS_categorical_crossentropy:
    case QS_LOSS_sparse_categorical_crossentropy:
        return PROBABILITIES;
    case QS_LOSS_categorical_crossentropy_logits:
    case QS_LOSS_sparse_categorical_crossentropy_logits:
    case QS_LOSS_categorical_hinge:
        return LOGITS;
    case QS_LOSS_binary_crossentropy:
        return SIGMOIDS;
    case QS_LOSS_binary_crossentropy_logits:
    case QS_LOSS_hinge:
    case QS_LOSS_squared_hinge:
        return SIGNS;
    case QS_LOSS_mean_absolute_percentage_error:
    case QS_LOSS_mean_squared_logarithmic_error:
    case QS_LOSS_poisson:
    case QS_LOSS_kl_divergence:
        return POSITIVE;
    default:
        return VALUES;
    }
}

static sides metric_sides(int metric)
{
    switch (metric) {
    case QS_METRIC_binary_accuracy:
    case QS_METRIC_binary_crossentropy:
        return SIGMOIDS;
    case QS_METRIC_categorical_accuracy:
    case QS_METRIC_top_k_categorical_accuracy:
    case QS_METRIC_categorical_crossentropy:
    case QS_METRIC_sparse_categorical_crossentropy:
        return PROBABILITIES;
    case QS_METRIC_hinge:
    case QS_METRIC_squared_hinge:
        return SIGNS;
    case QS_METRIC_categorical_hinge:
        return LOGITS;
    case QS_METRIC_mean_absolute_percentage_error:
    case QS_METRIC_mean_squared_logarithmic_error:
    case QS_METRIC_poisson:
    case QS_METRIC_kl_divergence:
        return POSITIVE;
    default:
        return VALUES;
    }
}

/* One of the classes of each row is 1. */
static void one_hot(rig *r, int target, size_t outputs)
{
    const rig_buffer *b = &r->buffer[target];
    memset(b->start, 0, b->floats * sizeof *b->start);
    for (size_t s = 0; s < r->slicing.slices; s++) {
        const size_t lanes = qs_slice_lanes(&r->slicing, s);
        float *at = b->start + b->rows * qs_slice_first(&r->slicing, s);
        for (size_t row = 0; row < b->rows; row += outputs)
            for (size_t i = 0; i < qs_slice_valid(&r->slicing, s); i++)
                at[(row + (size_t)rig_between(r, 0, (double)outputs)) * lanes + i] = 1;
    }
}

static void fill_sides(rig *r, sides kind, int pred, int target, size_t outputs)
{
    const bool positive = kind == POSITIVE || kind == PROBABILITIES || kind == SIGMOIDS;
    rig_fill(r, pred, positive ? 0.02 : -3, positive ? 0.98 : 3);
    if (kind == PROBABILITIES || kind == LOGITS)
        one_hot(r, target, outputs);
    else
        rig_fill(r, target, kind == VALUES ? -1 : 0.2, kind == VALUES ? 1 : 0.9);
    rig_buffer *b = &r->buffer[target];
    for (size_t i = 0; i < b->floats && (kind == SIGMOIDS || kind == SIGNS); i++)
        b->start[i] = roundf(b->start[i]);
    rig_clear_padding(r, target);
}

/* Sample weights, then 1 for each sample; both 0 for padding. */
static int add_weights(rig *r)
{
    const int weights = rig_lanes(r, "weights", RIG_READ, 2);
    rig_fill(r, weights, 0.2, 2);
    for (size_t s = 0; s < r->slicing.slices; s++) {
        const size_t lanes = qs_slice_lanes(&r->slicing, s);
        for (size_t i = 0; i < lanes; i++)
            r->buffer[weights].start[2 * qs_slice_first(&r->slicing, s) + lanes + i] = 1;
    }
    rig_clear_padding(r, weights);
    return weights;
}

static void score_sizes(rig *r, sides kind)
{
    r->dim[0] = r->large || rig_flip(r) ? 1 : (int32_t)rig_pick(r, 4);
    r->dim[1] = r->large ? 10 : (int32_t)rig_pick(r, 40);
    r->dim[2] = r->kind;
    const size_t features = (size_t)r->dim[0] * (size_t)r->dim[1];
    r->in[0] = rig_lanes(r, "pred", RIG_READ, features);
    r->in[1] = rig_lanes(r, "target", RIG_READ, features);
    r->in[2] = add_weights(r);
    fill_sides(r, kind, r->in[0], r->in[1], (size_t)r->dim[1]);
    r->step.zero_one = kind == SIGNS;
}

static bool is_logits_form(int loss)
{
    return loss == QS_LOSS_categorical_crossentropy_logits ||
           loss == QS_LOSS_sparse_categorical_crossentropy_logits ||
           loss == QS_LOSS_binary_crossentropy_logits;
}

SETUP(loss)
{
    score_sizes(r, loss_sides(r->kind));
    /* the cosine of one number has no slope: what is left is rounding, which rungs need not share */
    const bool flat = r->kind == QS_LOSS_cosine_similarity && r->dim[1] == 1;
    const size_t features = (size_t)r->dim[0] * (size_t)r->dim[1];
    r->arg[0] = 0.7f; /* delta of huber */
    r->arg[1] = rig_flip(r) ? 0 : 0.1f;
    if (is_logits_form(r->kind) && rig_flip(r))
        r->out[0] = rig_lanes(r, "prob", RIG_WRITE, features);
    if (!flat && (r->large || rig_flip(r))) {
        r->out[1] = rig_lanes(r, "gradient", RIG_WRITE, features);
        rig_need_zero(r, r->out[1]);
    }
}

SETUP(metric)
{
    score_sizes(r, metric_sides(r->kind));
    const size_t features = (size_t)r->dim[0] * (size_t)r->dim[1];
    r->dim[3] = rig_flip(r);
    if (r->kind == QS_METRIC_binary_accuracy)
        r->arg[0] = 0.5f;
    if (r->kind == QS_METRIC_top_k_categorical_accuracy)
        r->arg[0] = 3;
    if (rig_flip(r))
        r->in[3] = rig_lanes(r, "logits", RIG_READ, features);
    r->exact_sums = r->kind == QS_METRIC_categorical_accuracy ||
                    r->kind == QS_METRIC_top_k_categorical_accuracy;
}

SETUP(activity)
{
    r->dim[0] = (int32_t)rig_pick(r, 100);
    r->dim[1] = rig_flip(r);
    r->arg[0] = 0.02f;
    r->arg[1] = 0.03f;
    r->in[0] = rig_lanes(r, "y", RIG_READ, (size_t)r->dim[0]);
    if (r->dim[1]) {
        r->out[0] = rig_lanes(r, "gradient", RIG_CHANGE, (size_t)r->dim[0]);
        rig_need_zero(r, r->out[0]);
    }
}
