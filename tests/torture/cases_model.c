/* SPDX-License-Identifier: MIT */
/* cases_model.c - opening, reading weights into, and saving a model, in each format. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop.h"

typedef struct model_case {
    char path[TORTURE_PATH];
    qs_model *model; /* what the operation makes or works on */
    uint64_t before; /* digest of what it must not damage */
    size_t files;    /* beside the file to write */
} model_case;

static model_case *new_case(const char *subject)
{
    model_case *c = calloc(1, sizeof *c);
    torture_path(subject, c->path);
    return c;
}

static uint64_t digest_model(void *self)
{
    return torture_mix_model(1, ((model_case *)self)->model);
}

static void close_case(void *self)
{
    model_case *c = self;
    if (c->model != TORTURE_UNTOUCHED)
        qs_model_close(c->model);
    free(c);
}

/* ---- open ---- */

static void *open_nothing(const char *subject)
{
    model_case *c = new_case(subject);
    c->model = TORTURE_UNTOUCHED;
    return c;
}

static qs_status act_open(void *self, qs_error *err)
{
    model_case *c = self;
    return qs_model_open(c->path, &c->model, err);
}

static const char *touched(void *self)
{
    return ((model_case *)self)->model == TORTURE_UNTOUCHED ? NULL : "the result was written";
}

/* ---- weights ---- */

static void *open_fresh(const char *subject)
{
    model_case *c = new_case(subject);
    qs_error err = {0};
    torture_need(qs_model_parse(workshop_recipe, strlen(workshop_recipe), &c->model, &err), &err);
    torture_need(qs_model_init(c->model, 5, &err), &err);
    c->before = digest_model(c);
    return c;
}

static qs_status act_load(void *self, qs_error *err)
{
    model_case *c = self;
    return qs_model_load_weights(c->model, c->path, err);
}

static const char *model_changed(void *self)
{
    model_case *c = self;
    return digest_model(c) == c->before ? NULL : "the model is another one";
}

static qs_status act_init(void *self, qs_error *err)
{
    return qs_model_init(((model_case *)self)->model, 5, err);
}

static void *open_without_weights(const char *subject)
{
    model_case *c = new_case(subject);
    qs_error err = {0};
    torture_need(qs_model_parse(workshop_recipe, strlen(workshop_recipe), &c->model, &err), &err);
    return c;
}

/* ---- save ---- */

static const char *folder_of(const model_case *c, char *text)
{
    (void)c;
    return torture_path("saved", text);
}

static void *open_to_save(const char *subject)
{
    static const char precious[] = "precious";
    char name[100], folder[TORTURE_PATH];
    snprintf(name, sizeof name, "saved/%s", subject);
    model_case *c = new_case(name);
    c->model = workshop_model();
    torture_write(name, precious, strlen(precious));
    c->before = torture_mix_file(1, c->path);
    c->files = torture_files(folder_of(c, folder));
    return c;
}

static qs_status act_save(void *self, qs_error *err)
{
    model_case *c = self;
    return qs_model_save(c->model, c->path, 1, err);
}

static uint64_t digest_saved(void *self)
{
    return torture_mix_file(1, ((model_case *)self)->path);
}

static const char *saved_damage(void *self)
{
    model_case *c = self;
    char folder[TORTURE_PATH];
    if (digest_saved(c) != c->before)
        return "the file that was there has changed";
    return torture_files(folder_of(c, folder)) == c->files ? NULL : "a file was left behind";
}

#define OPEN(file)                                                                                 \
    {                                                                                              \
        "open", file, open_nothing, act_open, digest_model, touched, close_case                    \
    }
#define LOAD(file)                                                                                 \
    {                                                                                              \
        "load", file, open_fresh, act_load, digest_model, model_changed, close_case                \
    }
#define SAVE(file)                                                                                 \
    {                                                                                              \
        "save", file, open_to_save, act_save, digest_saved, saved_damage, close_case               \
    }

const torture_case torture_model_cases[] = {
    OPEN("net.yaml"),
    OPEN("net.json"),
    OPEN("net.keras"),
    OPEN("net.h5"),
    {"init", "weights", open_without_weights, act_init, digest_model, NULL, close_case},
    LOAD("net.keras"),
    LOAD("net.h5"),
    LOAD("net.weights.h5"),
    LOAD("net.npz"),
    LOAD("net.safetensors"),
    SAVE("net.yaml"),
    SAVE("net.json"),
    SAVE("net.keras"),
    SAVE("net.h5"),
    SAVE("net.weights.h5"),
    SAVE("net.npz"),
    SAVE("net.safetensors"),
    {0},
};
