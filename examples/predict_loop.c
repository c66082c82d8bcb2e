/* SPDX-License-Identifier: MIT */
/* predict_loop.c - open a model file once, then answer one sample after the other.
 *
 * usage: predict_loop FILE     reads samples as numbers from standard input, prints the outputs
 */
#include <quickstep/quickstep.h>
#include <stdio.h>
#include <stdlib.h>

static int read_sample(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (scanf("%f", &x[i]) != 1)
            return 0;
    return 1;
}

static void print_outputs(const float *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        printf("%s%.6g", i ? " " : "", (double)y[i]);
    putchar('\n');
}

/* x [features] and y [outputs] are reused: a prediction allocates nothing. */
static qs_status answer(qs_model *model, qs_trainer *trainer, qs_error *err)
{
    qs_array sample = {.dtype = QS_F32, .rank = 1, .dim = {1}};
    size_t shape[QS_MAX_RANK], features = 1;
    int rank;
    qs_model_input(model, &rank, shape);
    for (int i = 0; i < rank; i++, sample.rank++) {
        sample.dim[i + 1] = shape[i];
        features *= shape[i];
    }
    const size_t outputs = qs_model_outputs(model);
    float *x = calloc(features, sizeof *x), *y = calloc(outputs, sizeof *y);
    qs_status status = x && y ? QS_OK : QS_E_NOMEM;
    sample.data = x;
    while (status == QS_OK && read_sample(x, features)) {
        status = qs_trainer_predict(trainer, &sample, y, err);
        if (status == QS_OK)
            print_outputs(y, outputs);
    }
    free(x);
    free(y);
    return status;
}

int main(int argc, char **argv)
{
    qs_error err = {0};
    qs_model *model = NULL;
    qs_trainer *trainer = NULL;
    qs_status status = qs_model_open(argc > 1 ? argv[1] : NULL, &model, &err);
    if (status == QS_OK)
        status = qs_trainer_open(model, NULL, &trainer, &err);
    if (status == QS_OK)
        status = answer(model, trainer, &err);
    if (status != QS_OK)
        fprintf(stderr, "%s\n", err.text);
    qs_trainer_close(trainer);
    qs_model_close(model);
    return qs_status_exit(status);
}
