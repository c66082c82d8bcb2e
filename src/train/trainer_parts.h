/* SPDX-License-Identifier: MIT */
/* trainer_parts.h - what the files of the trainer share. Private to train/. */
#ifndef QS_TRAIN_TRAINER_PARTS_H
#define QS_TRAIN_TRAINER_PARTS_H

#include "base/arena.h"
#include "graph/exec.h"
#include "nn/compile.h"
#include "nn/metric.h"
#include "nn/optim.h"
#include "train/trainer.h"

struct qs_trainer {
    qs_arena arena; /* specs and texts */
    qs_model *model;
    qs_compile_options compile;
    const qs_metric_kind *metric[QS_MAX_METRICS]; /* after resolving by shape */
    const char *metric_name[QS_MAX_METRICS];
    qs_program *program;
    qs_exec *exec;
    size_t batch, outputs;
    uint64_t seed;
    const qs_spec *schedule; /* NULL: learning_rate holds */
    double learning_rate;
    uint64_t iterations; /* updates made */
    size_t allocated;    /* bytes that the library took while steps ran */
    double scalar;       /* carried by the optimizer */
    const char *device_reason, *loss_text, *optimizer_text;
    char *notes;   /* layers off the fast path, a line each; owned */
    bool zero_one; /* the loss or a metric asks whether all labels are 0 or 1 */
    float *row;    /* [batch, outputs] for predictions */
};

/* The model's weights into the executor, and going on its optimizer state, which must have the
 * program's slots; else the optimizer begins anew. */
void qs_trainer_begin(qs_trainer *t, const qs_model *model, bool going_on);

/* The update that comes next: rate and constants into *step. Advances nothing but the scalar. */
void qs_trainer_prepare_update(qs_trainer *t, qs_step *step);

/* Whether the model's samples have as many elements as data's, and labels fit; the text has both. */
qs_status qs_trainer_check_rows(const qs_trainer *t, const qs_rows *rows, qs_error *err);

/* Rows of arrays in memory; y, w NULL where there are none. Errors: shapes, dtypes, labels. */
qs_status qs_trainer_rows(const qs_trainer *t, const qs_array *x, const qs_array *y,
                          const qs_array *w, qs_rows *rows, qs_error *err);

/* Whether all labels of the batch are 0 or 1, if the loss or a metric asks for it. */
bool qs_trainer_zero_one(const qs_trainer *t, const qs_rows *rows);

/* Loss of a finished step: mean over its samples, penalties included. */
double qs_trainer_step_loss(const qs_trainer *t, const qs_step *step, const double *slice_sum,
                            const double *item_sum);

#endif
