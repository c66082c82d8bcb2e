/* SPDX-License-Identifier: MIT */
/* init.c - initial weights: Keras' distributions, from numbers that depend on a key alone. */
#include "nn/init.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "nn/attr.h"
#include "nn/model.h"
#include "nn/orthogonal.h"

static double number(const qs_spec *spec, const char *name)
{
    return qs_spec_value(spec, name)->number;
}

static void fill_constant(const qs_fill *to, double value)
{
    const size_t n = qs_shape_count(to->shape);
    for (size_t i = 0; i < n; i++)
        to->data[i] = (float)value;
}

static qs_status zeros(const qs_spec *spec, const qs_fill *to, qs_error *err)
{
    (void)spec, (void)err;
    fill_constant(to, 0);
    return QS_OK;
}

static qs_status ones(const qs_spec *spec, const qs_fill *to, qs_error *err)
{
    (void)spec, (void)err;
    fill_constant(to, 1);
    return QS_OK;
}

static qs_status constant(const qs_spec *spec, const qs_fill *to, qs_error *err)
{
    (void)err;
    fill_constant(to, number(spec, "value"));
    return QS_OK;
}

static void fill_uniform(const qs_fill *to, double low, double high)
{
    const size_t n = qs_shape_count(to->shape);
    for (size_t i = 0; i < n; i++)
        to->data[i] = (float)(low + (high - low) * qs_uniform(to->key, i));
}

static void fill_normal(const qs_fill *to, double mean, double deviation)
{
    const size_t n = qs_shape_count(to->shape);
    for (size_t i = 0; i < n; i++)
        to->data[i] = (float)(mean + deviation * qs_normal(to->key, i));
}

/* Normal numbers beyond two deviations are drawn again. */
static double cut_normal(uint64_t key, uint64_t i)
{
    double x = 3;
    for (uint64_t again = 0; fabs(x) > 2; again++)
        x = qs_normal(qs_key(key, i, again), 0);
    return x;
}

static void fill_truncated(const qs_fill *to, double mean, double deviation)
{
    const size_t n = qs_shape_count(to->shape);
    for (size_t i = 0; i < n; i++)
        to->data[i] = (float)(mean + deviation * cut_normal(to->key, i));
}

static qs_status random_uniform(const qs_spec *spec, const qs_fill *to, qs_error *err)
{
    (void)err;
    fill_uniform(to, number(spec, "minval"), number(spec, "maxval"));
    return QS_OK;
}

static qs_status random_normal(const qs_spec *spec, const qs_fill *to, qs_error *err)
{
    (void)err;
    fill_normal(to, number(spec, "mean"), number(spec, "stddev"));
    return QS_OK;
}

/* Not corrected for the cut: its deviation is 0.88 of the one asked for. */
static qs_status truncated_normal(const qs_spec *spec, const qs_fill *to, qs_error *err)
{
    (void)err;
    fill_truncated(to, number(spec, "mean"), number(spec, "stddev"));
    return QS_OK;
}

static qs_status identity(const qs_spec *spec, const qs_fill *to, qs_error *err)
{
    char text[QS_SHAPE_TEXT];
    if (to->shape->rank != 2)
        return qs_fail(err, QS_E_SHAPE, "identity needs a matrix, not %s",
                       qs_shape_text(to->shape, text));
    const size_t cols = to->shape->dim[1];
    fill_constant(to, 0);
    for (size_t i = 0; i < to->shape->dim[0] && i < cols; i++)
        to->data[i * cols + i] = (float)number(spec, "gain");
    return QS_OK;
}

static qs_status orthogonal(const qs_spec *spec, const qs_fill *to, qs_error *err)
{
    char text[QS_SHAPE_TEXT];
    if (to->shape->rank < 2)
        return qs_fail(err, QS_E_SHAPE, "orthogonal needs a matrix, not %s",
                       qs_shape_text(to->shape, text));
    const size_t n = qs_shape_count(to->shape), cols = to->shape->dim[to->shape->rank - 1];
    return qs_orthogonal(to->key, cols ? n / cols : 0, cols, number(spec, "gain"), to->data, err);
}

typedef enum mode { FAN_IN, FAN_OUT, FAN_AVG } mode;
typedef enum distribution { TRUNCATED, UNTRUNCATED, UNIFORM } distribution;

typedef struct scaling {
    double scale;
    mode mode;
    distribution distribution;
} scaling;

typedef struct entry {
    qs_initializer_kind of;
    scaling scaling; /* of the families that have one */
} entry;

static double scaled_variance(const scaling *s, const qs_fill *to)
{
    const double in = (double)to->fan_in, out = (double)to->fan_out;
    const double fan = s->mode == FAN_IN ? in : s->mode == FAN_OUT ? out : (in + out) / 2;
    return s->scale / fmax(1, fan);
}

/* 0.8796…: deviation of a normal number cut at 2. */
static void fill_scaled(const scaling *s, const qs_fill *to)
{
    const double deviation = sqrt(scaled_variance(s, to));
    if (s->distribution == UNIFORM)
        fill_uniform(to, -sqrt(3) * deviation, sqrt(3) * deviation);
    else if (s->distribution == UNTRUNCATED)
        fill_normal(to, 0, deviation);
    else
        fill_truncated(to, 0, deviation / 0.87962566103423978);
}

static qs_status family(const qs_spec *spec, const qs_fill *to, qs_error *err)
{
    (void)err;
    fill_scaled(&((const entry *)(const void *)spec->kind)->scaling, to);
    return QS_OK;
}

static qs_status variance_scaling(const qs_spec *spec, const qs_fill *to, qs_error *err)
{
    (void)err;
    const char *of = qs_spec_value(spec, "mode")->text;
    const char *form = qs_spec_value(spec, "distribution")->text;
    fill_scaled(
        &(scaling){
            number(spec, "scale"),
            !strcmp(of, "fan_in")    ? FAN_IN
            : !strcmp(of, "fan_out") ? FAN_OUT
                                     : FAN_AVG,
            !strcmp(form, "uniform")              ? UNIFORM
            : !strcmp(form, "untruncated_normal") ? UNTRUNCATED
                                                  : TRUNCATED,
        },
        to);
    return QS_OK;
}

#define SEED QS_INTEGER_ATTR("seed", "null", 0, 0, "kept for Keras; the run's seed decides here")
#define AXES QS_FIXED_ATTR("input_axes", "null"), QS_FIXED_ATTR("output_axes", "null")
#define GAIN QS_NUMBER_ATTR("gain", "1", -1e9, 1e9, "factor")

static const qs_attr constant_attrs[] = {
    QS_NUMBER_ATTR("value", "0", 0, 0, "of every weight"),
    QS_ATTRS_END,
};
static const qs_attr uniform_attrs[] = {
    QS_NUMBER_ATTR("minval", "-0.05", 0, 0, "lower bound"),
    QS_NUMBER_ATTR("maxval", "0.05", 0, 0, "upper bound"),
    SEED,
    QS_ATTRS_END,
};
static const qs_attr normal_attrs[] = {
    QS_NUMBER_ATTR("mean", "0", 0, 0, "mean"),
    QS_NUMBER_ATTR("stddev", "0.05", 0, 1e30, "standard deviation"),
    SEED,
    QS_ATTRS_END,
};
static const qs_attr scaling_attrs[] = {
    QS_NUMBER_ATTR("scale", "1", 1e-30, 1e30, "variance times the fan"),
    QS_WORD_ATTR("mode", "fan_in", "fan_in|fan_out|fan_avg", "which fan"),
    QS_WORD_ATTR("distribution", "truncated_normal",
                 "truncated_normal|untruncated_normal|normal|uniform",
                 "form; normal is truncated_normal"),
    SEED,
    AXES,
    QS_ATTRS_END,
};
static const qs_attr family_attrs[] = {SEED, AXES, QS_ATTRS_END};
static const qs_attr orthogonal_attrs[] = {GAIN, SEED, QS_ATTRS_END};
static const qs_attr identity_attrs[] = {GAIN, QS_ATTRS_END};

static const entry all[] = {
    {.of = {{"zeros", "Zeros", "zero", NULL, "all 0", NULL}, zeros}},
    {.of = {{"ones", "Ones", "one", NULL, "all 1", NULL}, ones}},
    {.of = {{"constant", "Constant", NULL, constant_attrs, "all the same", "value"}, constant}},
    {.of = {{"random_uniform", "RandomUniform", "uniform", uniform_attrs,
             "uniform between two bounds", NULL},
            random_uniform}},
    {.of = {{"random_normal", "RandomNormal", "normal", normal_attrs, "normal", NULL},
            random_normal}},
    {.of = {{"truncated_normal", "TruncatedNormal", NULL, normal_attrs,
             "normal, drawn again beyond 2 deviations", NULL},
            truncated_normal}},
    {.of = {{"variance_scaling", "VarianceScaling", NULL, scaling_attrs,
             "variance by the number of inputs or outputs", NULL},
            variance_scaling}},
    {.of = {{"glorot_uniform", "GlorotUniform", NULL, family_attrs,
             "uniform, variance 2 / (fan_in + fan_out)", NULL},
            family},
     .scaling = {1, FAN_AVG, UNIFORM}},
    {.of = {{"glorot_normal", "GlorotNormal", NULL, family_attrs,
             "normal cut at 2 deviations, variance 2 / (fan_in + fan_out)", NULL},
            family},
     .scaling = {1, FAN_AVG, TRUNCATED}},
    {.of = {{"he_uniform", "HeUniform", NULL, family_attrs, "uniform, variance 2 / fan_in", NULL},
            family},
     .scaling = {2, FAN_IN, UNIFORM}},
    {.of = {{"he_normal", "HeNormal", NULL, family_attrs,
             "normal cut at 2 deviations, variance 2 / fan_in", NULL},
            family},
     .scaling = {2, FAN_IN, TRUNCATED}},
    {.of = {{"lecun_uniform", "LecunUniform", NULL, family_attrs, "uniform, variance 1 / fan_in",
             NULL},
            family},
     .scaling = {1, FAN_IN, UNIFORM}},
    {.of = {{"lecun_normal", "LecunNormal", NULL, family_attrs,
             "normal cut at 2 deviations, variance 1 / fan_in", NULL},
            family},
     .scaling = {1, FAN_IN, TRUNCATED}},
    {.of = {{"orthogonal", "Orthogonal", "OrthogonalInitializer", orthogonal_attrs,
             "rows or columns at right angles", NULL},
            orthogonal}},
    {.of = {{"identity", "Identity", "IdentityInitializer", identity_attrs, "the unit matrix",
             NULL},
            identity}},
};

enum { KINDS = sizeof all / sizeof *all };

static const qs_kind *const kinds[KINDS + 1] = {
    &all[0].of.kind,  &all[1].of.kind,  &all[2].of.kind,  &all[3].of.kind,  &all[4].of.kind,
    &all[5].of.kind,  &all[6].of.kind,  &all[7].of.kind,  &all[8].of.kind,  &all[9].of.kind,
    &all[10].of.kind, &all[11].of.kind, &all[12].of.kind, &all[13].of.kind, &all[14].of.kind,
};

const qs_registry qs_initializer_registry = {"initializers", "initializer", "keras.initializers",
                                             kinds};

qs_status qs_initialize(const qs_spec *spec, const qs_fill *to, qs_error *err)
{
    return ((const qs_initializer_kind *)(const void *)spec->kind)->fill(spec, to, err);
}

void qs_fans(const qs_shape *shape, size_t *fan_in, size_t *fan_out)
{
    const int rank = shape->rank;
    size_t field = 1;
    for (int i = 0; i < rank - 2; i++)
        field *= shape->dim[i];
    *fan_in = rank == 0 ? 1 : field * shape->dim[rank > 1 ? rank - 2 : 0];
    *fan_out = rank == 0 ? 1 : field * shape->dim[rank - 1];
}
