/* SPDX-License-Identifier: MIT */
/* custom_source.c - train on samples that exist only when they are asked for: bright bars in noise.
 *
 * A row is a function of its index: threads may ask in any order, and epochs see the same samples.
 */
#include <quickstep/quickstep.h>
#include <stdio.h>

enum { SIDE = 12, ROWS = 4000, CLASSES = 2 };

static uint32_t scramble(uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

/* A picture of noise with one bright row (class 0) or one bright column (class 1). */
static void draw(uint32_t index, uint8_t picture[SIDE][SIDE], int32_t *label)
{
    const uint32_t bits = scramble(index + 1), place = bits / 2 % SIDE;
    *label = (int32_t)(bits % CLASSES);
    for (uint32_t i = 0; i < SIDE; i++)
        for (uint32_t k = 0; k < SIDE; k++) {
            const uint32_t noise = scramble(index * SIDE * SIDE + i * SIDE + k) % 128;
            const int bright = *label ? k == place : i == place;
            picture[i][k] = (uint8_t)(noise + (bright ? 127 : 0));
        }
}

/* Called from the workers that fetch batches ahead. */
static int read_rows(void *self, const uint32_t *index, size_t n, void *x, void *y)
{
    (void)self;
    uint8_t(*picture)[SIDE][SIDE] = x;
    int32_t *label = y;
    for (size_t i = 0; i < n; i++)
        draw(index[i], picture[i], &label[i]);
    return 0; /* otherwise: the run stops with QS_E_IO */
}

int main(void)
{
    const char recipe[] = "model:\n"
                          "  - input: [12, 12]\n"
                          "  - flatten:\n"
                          "  - dense: {units: 32, activation: relu}\n"
                          "  - dense: {units: 2, activation: softmax}\n"
                          "train: {loss: sparse_categorical_crossentropy, optimizer: adam,"
                          " batch_size: 50, epochs: 5, metrics: [accuracy]}\n";
    const qs_source source = {.bytes = sizeof source,
                              .rows = ROWS,
                              .rank = 2,
                              .shape = {SIDE, SIDE},
                              .dtype = QS_U8,
                              .classes = CLASSES,
                              .read = read_rows};
    qs_data_options scale = QS_DATA_OPTIONS;
    scale.scale = "unit";
    qs_error err = {0};
    qs_model *model = NULL;
    qs_data *data = NULL;
    qs_run *run = NULL;
    qs_result result;
    qs_status status = qs_model_parse(recipe, sizeof recipe - 1, &model, &err);
    if (status == QS_OK)
        status = qs_data_custom(&source, &scale, &data, &err);
    if (status == QS_OK)
        status = qs_run_open(model, data, NULL, NULL, NULL, &run, &err);
    if (status == QS_OK)
        status = qs_run_train(run, &result, &err);
    if (status == QS_OK)
        printf("accuracy %.4f\n", result.epoch[result.epochs - 1].train.value[0]);
    else
        fprintf(stderr, "%s\n", err.text);
    qs_run_close(run);
    qs_data_close(data);
    qs_model_close(model);
    return qs_status_exit(status);
}
