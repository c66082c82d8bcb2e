/* SPDX-License-Identifier: MIT */
/* models.h - small models and batches for the tests of programs and their execution. */
#ifndef QS_TESTS_MODELS_H
#define QS_TESTS_MODELS_H

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "train/trainer_parts.h"

typedef struct sketch {
    const char *name;
    size_t shape[3];    /* of a sample, 0 past its rank */
    const char *layers; /* specs with '|' between them; '!' before one that is frozen */
} sketch;

static const sketch sketches[] = {
    {"one number", {1}, "dense:units=1"},
    {"dense", {7}, "dense:units=33,activation=relu|dense:units=10,activation=softmax"},
    {"wide", {300}, "dense:units=1100,activation=tanh|dense:units=3"},
    {"dropout", {20}, "dense:units=60,activation=relu|dropout:0.4|dense:units=5,activation=gelu"},
    {"batch norm first", {18}, "batch_normalization|dense:units=40|relu|dense:units=4"},
    {"batch norms",
     {9},
     "dense:units=70|batch_normalization|relu|dense:units=50|"
     "batch_normalization|dense:units=2"},
    {"frozen",
     {9},
     "dense:units=20,activation=tanh|!dense:units=30|!batch_normalization|"
     "dense:units=2"},
    {"layer norm",
     {5, 6},
     "layer_normalization|dense:units=17|prelu:shared_axes=[1]|"
     "layer_normalization|dense:units=3"},
    {"prelu", {4, 5}, "prelu|dense:units=20|prelu|flatten|dense:units=6"},
    {"penalties",
     {12},
     "dense:units=50,kernel_regularizer=(l2:0.01),bias_regularizer=(l1:0.01),"
     "activity_regularizer=(l2:0.01)|batch_normalization:gamma_regularizer=(l2:"
     "0.01)|dense:units=3,kernel_constraint=(max_norm:1)"},
    {"nothing to train before",
     {3, 8},
     "rescaling:scale=2,offset=1|flatten|gaussian_noise:0.1|"
     "batch_normalization|dense:units=4"},
};

enum { SKETCHES = sizeof sketches / sizeof *sketches };

static inline void add_layer(qs_model *model, const char *text, size_t bytes)
{
    const bool frozen = text[0] == '!';
    char *one = qs_strndup(text + frozen, bytes - frozen);
    const qs_spec *spec;
    qs_error err;
    cr_assert_eq(qs_spec_parse(&model->arena, &qs_layer_registry, one, &spec, &err), QS_OK, "%s",
                 err.text);
    cr_assert_eq(qs_model_add_spec(model, spec, NULL, !frozen, &err), QS_OK, "%s", err.text);
    qs_free(one);
}

static inline qs_model *model_of(const sketch *s)
{
    int rank = 0;
    while (rank < 3 && s->shape[rank])
        rank++;
    qs_model *model = NULL;
    cr_assert_eq(qs_model_create(s->shape, rank, &model, NULL), QS_OK);
    for (const char *p = s->layers; *p;) {
        const size_t bytes = strcspn(p, "|");
        add_layer(model, p, bytes);
        p += bytes + (p[bytes] == '|');
    }
    cr_assert_eq(qs_model_init(model, 3, NULL), QS_OK);
    return model;
}

/* Mean squared error, unless options say otherwise. */
static inline qs_trainer *trainer_of(qs_model *model, size_t batch, int threads,
                                     const char *optimizer)
{
    qs_train_options options = QS_TRAIN_OPTIONS;
    qs_trainer *trainer = NULL;
    qs_error err;
    options.loss = "mean_squared_error";
    options.metrics = "mean_absolute_error";
    options.optimizer = optimizer;
    options.batch = batch;
    options.threads = threads;
    cr_assert_eq(qs_trainer_open(model, &options, &trainer, &err), QS_OK, "%s", err.text);
    return trainer;
}

/* A batch of normal numbers; the same sample i whatever n is. */
typedef struct batch {
    float *x, *y;
    qs_array xs, ys;
} batch;

static inline batch batch_of(const qs_model *model, size_t n)
{
    const size_t in = qs_shape_count(&model->input), out = qs_model_outputs(model);
    batch b = {.x = qs_calloc(n * in, sizeof(float)), .y = qs_calloc(n * out, sizeof(float))};
    for (size_t i = 0; i < n * in; i++)
        b.x[i] = (float)qs_normal(11, i);
    for (size_t i = 0; i < n * out; i++)
        b.y[i] = (float)qs_normal(12, i);
    b.xs = (qs_array){b.x, QS_F32, 2, {n, in}};
    b.ys = (qs_array){b.y, QS_F32, 2, {n, out}};
    return b;
}

static inline void batch_free(batch *b)
{
    qs_free(b->x);
    qs_free(b->y);
}

static inline double step_once(qs_trainer *t, const batch *b)
{
    double loss = NAN;
    qs_error err;
    cr_assert_eq(qs_trainer_step(t, &b->xs, &b->ys, NULL, &loss, &err), QS_OK, "%s", err.text);
    return loss;
}

#endif
