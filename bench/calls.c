/* SPDX-License-Identifier: MIT */
/* calls.c - where one training step goes: every call of a model's program, its best time over many
 * steps, and its share of the peak measured in the same run.
 *
 * usage: calls [MODEL] [--batch N] [--threads N] [--steps N]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tap.h"
#include "graph/graph.h"
#include "quickstep/quickstep.h"
#include "train/trainer_parts.h"

typedef struct row {
    double seconds; /* of the present step, all threads */
    double best;
} row;

typedef struct bench {
    qs_trainer *trainer;
    row *row;
    double *lane; /* [threads][calls] seconds of the present step */
    size_t calls, threads, batch, steps;
} bench;

static void on_span(void *self, const qs_span *span)
{
    bench *b = self;
    if (span->kind != QS_SPAN_CALL)
        return;
    b->lane[span->lane * b->calls + span->id] += span->end - span->start;
}

static void end_step(bench *b)
{
    for (size_t k = 0; k < b->calls; k++) {
        double seconds = 0;
        for (size_t t = 0; t < b->threads; t++)
            seconds += b->lane[t * b->calls + k];
        if (seconds > 0 && (b->row[k].best == 0 || seconds < b->row[k].best))
            b->row[k].best = seconds;
    }
    memset(b->lane, 0, b->threads * b->calls * sizeof *b->lane);
}

static double run_steps(bench *b, const qs_array *x, const qs_array *y, qs_error *err)
{
    double best = 0;
    for (size_t s = 0; s < b->steps; s++) {
        const double start = qs_now();
        if (qs_trainer_step(b->trainer, x, y, NULL, NULL, err) != QS_OK)
            return -1;
        const double seconds = qs_now() - start;
        best = best == 0 || seconds < best ? seconds : best;
        if (b->lane)
            end_step(b);
    }
    return best;
}

static void print_rows(const bench *b, double step, double peak)
{
    const qs_program *p = b->trainer->program;
    double sum = 0;
    for (size_t k = 0; k < b->calls; k++)
        sum += b->row[k].best;
    printf("%-4s %-18s %9s %7s %9s %8s\n", "call", "op", "us", "share", "GF/s", "of peak");
    for (size_t k = 0; k < b->calls; k++) {
        const double flops = p->call[k].flops * (double)b->batch, best = b->row[k].best;
        if (best == 0)
            continue;
        printf("%-4zu %-18s %9.1f %6.1f%%", k, qs_op_name(p->call[k].op), best * 1e6,
               100 * best / sum);
        if (flops > 0)
            printf(" %9.1f %7.0f%%", flops / best / 1e9, 100 * flops / best / peak);
        printf("\n");
    }
    printf("step %.3f ms, calls %.3f ms of core time, %.1f GF/s, %.0f%% of %zu x %.1f GF/s\n",
           step * 1e3, sum * 1e3, p->train_flops * (double)b->batch / step / 1e9,
           100 * p->train_flops * (double)b->batch / step / (peak * (double)b->threads), b->threads,
           peak / 1e9);
}

static int measure(bench *b, qs_model *model, qs_error *err)
{
    const size_t features = b->trainer->program->features, outputs = b->trainer->program->outputs;
    unsigned char *x = calloc(b->batch, features);
    int32_t *y = calloc(b->batch, sizeof *y);
    (void)model;
    b->calls = b->trainer->program->calls;
    b->row = calloc(b->calls, sizeof *b->row);
    if (!x || !y || !b->row)
        return 1;
    for (size_t i = 0; i < b->batch * features; i++)
        x[i] = (unsigned char)(i * 2654435761u >> 24);
    for (size_t i = 0; i < b->batch; i++)
        y[i] = (int32_t)(i % outputs);
    const qs_array xs = {x, QS_U8, 2, {b->batch, features}}, ys = {y, QS_I32, 1, {b->batch}};
    const double step = run_steps(b, &xs, &ys, err);
    b->lane = calloc(b->threads * b->calls, sizeof *b->lane);
    qs_exec_set_tap(b->trainer->exec, &(qs_tap){on_span, b});
    if (step < 0 || run_steps(b, &xs, &ys, err) < 0)
        return 1;
    print_rows(b, step, qs_device_peak_flops(1));
    free(x), free(y), free(b->row), free(b->lane);
    return 0;
}

int main(int argc, char **argv)
{
    qs_error err = {0};
    qs_train_options options = QS_TRAIN_OPTIONS;
    const char *path = NULL;
    bench b = {.steps = 300};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--batch") == 0 && i + 1 < argc)
            options.batch = (size_t)strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc)
            options.threads = (int)strtol(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--steps") == 0 && i + 1 < argc)
            b.steps = (size_t)strtoul(argv[++i], NULL, 10);
        else
            path = argv[i];
    }
    qs_model *model = NULL;
    int rc = 1;
    if (qs_model_open(path, &model, &err) == QS_OK &&
        qs_trainer_open(model, &options, &b.trainer, &err) == QS_OK) {
        b.batch = b.trainer->batch;
        b.threads = (size_t)qs_exec_threads(b.trainer->exec);
        rc = measure(&b, model, &err);
    }
    if (rc)
        fprintf(stderr, "calls: %s\n", err.text);
    qs_trainer_close(b.trainer);
    qs_model_close(model);
    return rc;
}
