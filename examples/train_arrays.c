/* SPDX-License-Identifier: MIT */
/* train_arrays.c - train a network on arrays of your own, and save it as a Keras file.
 *
 * usage: train_arrays [FILE.keras]
 */
#include <math.h>
#include <quickstep/quickstep.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 1000, FEATURES = 2, CLASSES = 2, EPOCHS = 20 };

/* Two half moons: points on two arcs that reach into each other. */
static void make_moons(float x[ROWS][FEATURES], int y[ROWS])
{
    for (int i = 0; i < ROWS; i++) {
        const float angle = 3.14159265f * (float)(i / 2) / (ROWS / 2);
        y[i] = i % 2;
        x[i][0] = y[i] ? 1 - cosf(angle) : cosf(angle);
        x[i][1] = y[i] ? 0.5f - sinf(angle) : sinf(angle);
    }
}

static int show(void *self, const qs_epoch *epoch)
{
    (void)self;
    printf("epoch %2zu  loss %.4f  %s %.4f\n", epoch->epoch, epoch->train.loss,
           epoch->train.name[0], epoch->train.value[0]);
    return 0; /* anything else would stop the run */
}

/* Layers, data and the run are closed by the caller, whatever happens here. */
static qs_status train(qs_model *model, const qs_data *data, qs_run **run, qs_error *err)
{
    qs_train_options options = QS_TRAIN_OPTIONS;
    options.loss = "sparse_categorical_crossentropy";
    options.optimizer = "nadam:learning_rate=0.01";
    options.metrics = "accuracy";
    options.batch = 50;
    options.epochs = EPOCHS;
    options.on_epoch = show;

    qs_result result;
    qs_status status = qs_model_add(model, "dense", "{units: 16, activation: tanh}", err);
    if (status == QS_OK)
        status = qs_model_add(model, "dense", "{units: 2, activation: softmax}", err);
    if (status == QS_OK)
        status = qs_run_open(model, data, NULL, NULL, &options, run, err);
    return status == QS_OK ? qs_run_train(*run, &result, err) : status;
}

int main(int argc, char **argv)
{
    static float x[ROWS][FEATURES];
    static int y[ROWS];
    make_moons(x, y);
    const qs_array xs = {x, QS_F32, 2, {ROWS, FEATURES}}, ys = {y, QS_I32, 1, {ROWS}};
    const size_t shape[] = {FEATURES};
    qs_error err = {0};
    qs_model *model = NULL;
    qs_data *data = NULL;
    qs_run *run = NULL;

    qs_status status = qs_model_create(shape, 1, &model, &err);
    if (status == QS_OK)
        status = qs_data_wrap(&xs, &ys, NULL, NULL, &data, &err);
    if (status == QS_OK)
        status = train(model, data, &run, &err);
    if (status == QS_OK && argc > 1)
        status = qs_model_save(model, argv[1], 0, &err);
    if (status != QS_OK)
        fprintf(stderr, "%s\n", err.text);

    qs_run_close(run);
    qs_data_close(data);
    qs_model_close(model);
    return qs_status_exit(status);
}
