/* SPDX-License-Identifier: MIT */
/* online.c - learn from one sample at a time, as it comes: a line with noise. */
#include <quickstep/quickstep.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 2000 };

/* The next measurement: y = 2 a - 3 b + 1, with a little noise. */
static void measure(unsigned *state, float x[2], float *y)
{
    float noise[3];
    for (int i = 0; i < 3; i++) {
        *state = *state * 1664525u + 1013904223u;
        noise[i] = (float)(*state >> 8) / (1 << 23) - 1;
    }
    x[0] = noise[0];
    x[1] = noise[1];
    *y = 2 * x[0] - 3 * x[1] + 1 + 0.01f * noise[2];
}

static qs_status learn(qs_trainer *trainer, qs_error *err)
{
    unsigned state = 1;
    double loss = 0, sum = 0;
    qs_status status = QS_OK;
    for (int step = 1; step <= STEPS && status == QS_OK; step++) {
        float x[2], y;
        measure(&state, x, &y);
        const qs_array xs = {x, QS_F32, 2, {1, 2}}, ys = {&y, QS_F32, 2, {1, 1}};
        status = qs_trainer_step(trainer, &xs, &ys, NULL, &loss, err);
        sum += loss;
        if (step % 400 == 0) {
            printf("after %4d samples: squared error %.6f\n", step, sum / 400);
            sum = 0;
        }
    }
    return status;
}

static void print_weights(const qs_model *model)
{
    for (size_t i = 0; i < qs_model_weights(model); i++) {
        qs_weight_info weight;
        if (qs_model_weight(model, i, &weight, NULL) == QS_OK)
            printf("%s starts with %.3f\n", weight.name, (double)weight.data[0]);
    }
}

int main(void)
{
    const char recipe[] = "model:\n"
                          "  - input: [2]\n"
                          "  - dense: {units: 1}\n"
                          "train: {loss: mse, optimizer: {sgd: {learning_rate: 0.05}},"
                          " batch_size: 1, metrics: []}\n";
    qs_error err = {0};
    qs_model *model = NULL;
    qs_trainer *trainer = NULL;
    qs_status status = qs_model_parse(recipe, sizeof recipe - 1, &model, &err);
    if (status == QS_OK)
        status = qs_trainer_open(model, NULL, &trainer, &err);
    if (status == QS_OK)
        status = learn(trainer, &err);
    if (status == QS_OK)
        status = qs_trainer_sync(trainer, &err); /* weights back into the model */
    if (status == QS_OK)
        print_weights(model);
    else
        fprintf(stderr, "%s\n", err.text);
    qs_trainer_close(trainer);
    qs_model_close(model);
    return qs_status_exit(status);
}
