/* SPDX-License-Identifier: MIT */
/* files.h - what the tests of formats share: where files are, and comparing models. */
#ifndef QS_TESTS_FORMAT_FILES_H
#define QS_TESTS_FORMAT_FILES_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "nn/model.h"

enum { PATH_TEXT = 4096 };

/* A file among the fixtures recorded from Keras. */
static inline const char *shared_path(const char *name, char path[PATH_TEXT])
{
    const char *shared = getenv("QS_SHARED"), *source = getenv("QS_SOURCE");
    if (shared)
        snprintf(path, PATH_TEXT, "%s/golden/%s", shared, name);
    else
        snprintf(path, PATH_TEXT, "%s/../shared/golden/%s", source ? source : ".", name);
    return path;
}

static inline void need_fixtures(void)
{
    char path[PATH_TEXT];
    if (!qs_file_exists(shared_path("index.json", path)))
        cr_skip_test("no fixtures: set QS_SHARED");
}

/* A file of this test's process, removed by nobody but the system. */
static inline const char *temporary(const char *name, char path[PATH_TEXT])
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, PATH_TEXT, "%s/quickstep-%d-%s", folder ? folder : "/tmp", (int)getpid(), name);
    return path;
}

static inline qs_model *open_model(const char *path)
{
    qs_model *model = NULL;
    qs_error err = {0};
    cr_assert_eq(qs_model_open(path, &model, &err), QS_OK, "%s", err.text);
    return model;
}

static inline qs_model *parse_recipe(const char *text)
{
    qs_model *model = NULL;
    qs_error err = {0};
    cr_assert_eq(qs_model_parse(text, strlen(text), &model, &err), QS_OK, "%s", err.text);
    return model;
}

/* Names, kinds, options and shapes of all layers. */
static inline void expect_same_layers(const qs_model *a, const qs_model *b, const char *what)
{
    cr_assert_eq(a->layers, b->layers, "%s: %d layers, not %d", what, b->layers, a->layers);
    for (int i = 0; i < a->layers; i++) {
        const qs_layer *x = &a->layer[i], *y = &b->layer[i];
        cr_expect_str_eq(x->name, y->name, "%s", what);
        cr_expect_eq(x->kind, y->kind, "%s: %s", what, x->name);
        cr_expect_str_eq(x->options, y->options, "%s: %s", what, x->name);
        cr_expect_eq(x->trainable, y->trainable, "%s: %s", what, x->name);
        cr_expect(qs_shape_same(&x->out, &y->out), "%s: %s", what, x->name);
    }
}

static inline void expect_same_floats(const float *a, const float *b, size_t n, const char *what)
{
    cr_assert(a && b, "%s: no numbers", what);
    cr_expect_eq(memcmp(a, b, n * sizeof *a), 0, "%s differs", what);
}

static inline void expect_same_weights(const qs_model *a, const qs_model *b)
{
    cr_assert_eq(a->weights, b->weights);
    for (int i = 0; i < a->weights; i++)
        expect_same_floats(a->weight[i].data, b->weight[i].data,
                           qs_shape_count(&a->weight[i].shape), a->weight[i].name);
}

static inline void expect_same_state(const qs_model *a, const qs_model *b)
{
    cr_assert(a->optim.present && b->optim.present, "no optimizer state");
    cr_expect_eq(a->optim.iterations, b->optim.iterations);
    cr_expect_eq((float)a->optim.scalar, (float)b->optim.scalar);
    cr_assert_eq(a->optim.slots, b->optim.slots);
    for (int slot = 0; slot < a->optim.slots; slot++)
        for (int i = 0; i < a->weights; i++)
            if (a->weight[i].trainable)
                expect_same_floats(a->optim.slot[slot][i], b->optim.slot[slot][i],
                                   qs_shape_count(&a->weight[i].shape), a->weight[i].name);
}

#endif
