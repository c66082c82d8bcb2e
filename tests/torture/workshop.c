/* SPDX-License-Identifier: MIT */
/* workshop.c - makes the folder and its files, and mixes digests. */
#include "workshop.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

const char workshop_recipe[] =
    "model:\n"
    "  - input: [2, 6]\n"
    "  - rescaling: {scale: 0.5, offset: [0, 1, 0, 1, 0, 1]}\n"
    "  - normalization: {mean: 0.1, variance: 2}\n"
    "  - reshape: {target_shape: [3, -1]}\n"
    "  - prelu: {shared_axes: [1]}\n"
    "  - layer_normalization: {epsilon: 0.01}\n"
    "  - flatten:\n"
    "  - dense: {units: 9, activation: gelu, kernel_regularizer: {l2: 0.001},\n"
    "            kernel_constraint: {max_norm: 2}, activity_regularizer: {l1: 0.001}}\n"
    "  - batch_normalization: {momentum: 0.9}\n"
    "  - gaussian_noise: 0.1\n"
    "  - dense: {units: 8, use_bias: false, kernel_initializer: orthogonal}\n"
    "  - relu: {max_value: 6}\n"
    "  - leaky_relu:\n"
    "  - dense: {units: 7}\n"
    "  - elu:\n"
    "  - dropout: 0.2\n"
    "  - activation: tanh\n"
    "  - dense: {units: 4}\n"
    "  - softmax:\n"
    "data: {train: digits, scale: max, validation_split: 0.25}\n"
    "train: {loss: categorical_crossentropy, optimizer: {nadam: {learning_rate: 0.01, clipnorm: "
    "1}},\n"
    "        batch_size: 5, epochs: 2, metrics: [accuracy, {top_k_categorical_accuracy: {k: 2}}],\n"
    "        class_weight: {0: 1.0, 2: 2.5}}\n";

static char folder[TORTURE_PATH / 2];

void torture_need(qs_status status, const qs_error *err)
{
    if (status == QS_OK)
        return;
    printf("Bail out! %s\n", err->text);
    fflush(stdout);
    workshop_close();
    _Exit(1);
}

static void need(bool good, const char *what)
{
    qs_error err = {0};
    snprintf(err.text, sizeof err.text, "%s", what);
    torture_need(good ? QS_OK : QS_E_IO, &err);
}

const char *torture_path(const char *name, char *text)
{
    snprintf(text, TORTURE_PATH, "%s/%s", folder, name);
    return text;
}

void torture_write(const char *name, const void *bytes, size_t n)
{
    char path[TORTURE_PATH];
    qs_error err = {0};
    torture_need(qs_file_write(torture_path(name, path), bytes, n, &err), &err);
}

size_t torture_files(const char *path)
{
    size_t n = 0;
    DIR *const list = opendir(path);
    while (list && readdir(list))
        n++;
    if (list)
        closedir(list);
    return n;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *at)
{
    (void)about, (void)kind, (void)at;
    return remove(path);
}

void torture_remove(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* FNV-1a */
uint64_t torture_mix(uint64_t digest, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    digest ^= n + 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++)
        digest = (digest ^ p[i]) * 0x100000001b3u;
    return digest;
}

uint64_t torture_mix_text(uint64_t digest, const char *text)
{
    return text ? torture_mix(digest, text, strlen(text)) : torture_mix(digest, "", 1);
}

uint64_t torture_mix_file(uint64_t digest, const char *path)
{
    const unsigned char *bytes;
    size_t n;
    if (qs_file_map(path, &bytes, &n, NULL) != QS_OK)
        return torture_mix_text(digest, NULL);
    digest = torture_mix(digest, bytes, n);
    qs_file_unmap(bytes, n);
    return digest;
}

static uint64_t mix_shape(uint64_t digest, const qs_shape *shape)
{
    char text[QS_SHAPE_TEXT];
    return torture_mix_text(digest, qs_shape_text(shape, text));
}

static uint64_t mix_weight(uint64_t digest, const qs_model *model, int i)
{
    const qs_weight *w = &model->weight[i];
    const size_t bytes = qs_shape_count(&w->shape) * sizeof(float);
    digest = mix_shape(torture_mix_text(digest, w->name), &w->shape);
    if (w->data)
        digest = torture_mix(digest, w->data, bytes);
    for (int s = 0; s < model->optim.slots; s++)
        if (model->optim.slot[s][i])
            digest = torture_mix(digest, model->optim.slot[s][i], bytes);
    return digest;
}

uint64_t torture_mix_model(uint64_t digest, const qs_model *model)
{
    const qs_optim_state *o = &model->optim;
    digest = torture_mix_text(torture_mix_text(digest, model->name), model->format);
    digest = mix_shape(torture_mix_text(digest, model->input_name), &model->input);
    for (int i = 0; i < model->layers; i++) {
        const qs_layer *layer = &model->layer[i];
        digest = torture_mix_text(torture_mix_text(digest, layer->name), layer->options);
        digest = mix_shape(mix_shape(digest, &layer->in), &layer->out);
    }
    for (int i = 0; i < model->settings; i++)
        digest = torture_mix_text(torture_mix_text(digest, model->setting[i].key),
                                  model->setting[i].text);
    for (int i = 0; i < model->weights; i++)
        digest = mix_weight(digest, model, i);
    digest = torture_mix(digest, &o->iterations, sizeof o->iterations);
    digest = torture_mix(digest, &o->learning_rate, sizeof o->learning_rate);
    return torture_mix(digest, &o->scalar, sizeof o->scalar);
}

/* ---- the files ---- */

qs_data *workshop_data(void)
{
    qs_error err = {0};
    qs_data *data = NULL;
    torture_need(qs_data_open("synthetic:20,2x6,4", NULL, &data, &err), &err);
    return data;
}

static void train_step(qs_model *model)
{
    static const float x[5][12] = {{1, 2}, {0, 3}, {-1, 1}, {0.5f}, {0.25f, 1}};
    static const int32_t y[5] = {0, 1, 2, 3, 0};
    const qs_array xs = {x, QS_F32, 2, {5, 12}}, ys = {y, QS_I32, 1, {5}};
    qs_train_options options = QS_TRAIN_OPTIONS;
    options.threads = 1;
    qs_trainer *trainer = NULL;
    qs_error err = {0};
    double loss;
    torture_need(qs_trainer_open(model, &options, &trainer, &err), &err);
    torture_need(qs_trainer_step(trainer, &xs, &ys, NULL, &loss, &err), &err);
    torture_need(qs_trainer_sync(trainer, &err), &err);
    qs_trainer_close(trainer);
}

qs_model *workshop_model(void)
{
    qs_error err = {0};
    qs_model *model = NULL;
    torture_need(qs_model_parse(workshop_recipe, strlen(workshop_recipe), &model, &err), &err);
    train_step(model);
    return model;
}

static void save_all(const qs_model *model)
{
    static const char *const names[] = {"net.yaml",       "net.json", "net.keras",      "net.h5",
                                        "net.weights.h5", "net.npz",  "net.safetensors"};
    char path[TORTURE_PATH];
    qs_error err = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        torture_need(qs_model_save(model, torture_path(names[i], path), 1, &err), &err);
}

static void write_table(void)
{
    char text[2000];
    size_t n = (size_t)snprintf(text, sizeof text, "a,b,c,kind\n");
    for (int i = 0; i < 20; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%d,%d.5,\"%d\",%s\n", i, i * 7 % 5, -i,
                              i % 3 ? "cat" : "dog");
    torture_write("table.csv", text, n);
}

/* In memory where that is possible: writing flushes to the disk each time. */
void workshop_open(void)
{
    const char *const memory = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    const char *const asked = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/quickstep-torture-XXXXXX", asked ? asked : memory);
    need(mkdtemp(folder) != NULL, "cannot make a folder for the files");
    char path[TORTURE_PATH];
    qs_error err = {0};
    torture_need(qs_folder_make(torture_path("saved", path), &err), &err);
    qs_model *model = workshop_model();
    save_all(model);
    qs_model_close(model);
    write_table();
}

void workshop_close(void)
{
    if (*folder)
        torture_remove(folder);
}
