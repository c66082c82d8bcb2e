/* SPDX-License-Identifier: MIT */
/* trainer.h - what a run asks of a trainer: passes over a feeder, sums, rates, state. Private. */
#ifndef QS_TRAIN_TRAINER_H
#define QS_TRAIN_TRAINER_H

#include <stdatomic.h>

#include "base/tap.h"
#include "data/feeder.h"
#include "nn/model.h"
#include "quickstep/train.h"

/* qs_progress as atomics: written by the thread that trains, read by any other. names are set
 * before the first pass and never change. */
typedef struct qs_progress_cell {
    atomic_size_t epoch, epochs, step, steps, samples;
    _Atomic double loss, value[QS_MAX_METRICS];
    atomic_int metrics, evaluating;
    const char *name[QS_MAX_METRICS];
} qs_progress_cell;

/* As qs_trainer_open(), for sets of at most so many rows: a batch that is larger takes no memory for
 * what never comes. */
qs_status qs_trainer_open_for(qs_model *model, const qs_train_options *options, size_t rows,
                              qs_trainer **out, qs_error *err);

/* One epoch (or what is left of it): steps of the feeder until its end, a stop, or max_steps. */
typedef struct qs_pass {
    qs_feeder *feeder;         /* started at the right batch */
    uint64_t epoch;            /* from 1: keys dropout */
    size_t first_step;         /* batch number within the epoch that the feeder starts at */
    size_t max_steps;          /* 0: no limit */
    double *step_loss;         /* [steps of this pass] or NULL */
    const float *class_weight; /* [classes] or NULL */
    atomic_int *stop;          /* non-zero: finish the step and return; may be NULL */
    /* After each step, from the calling thread; may be NULL; non-zero stops. step counts within the
     * epoch, from first_step. */
    int (*on_step)(void *self, size_t step, double loss);
    void *self;
    qs_progress_cell *progress; /* step, samples, loss and values are kept up; may be NULL */
} qs_pass;

/* Running sums of an epoch: kept in checkpoints so that a resumed epoch reports the same bytes. */
typedef struct qs_sums {
    double loss, weight; /* sum of batch loss * batch size, sum of batch sizes */
    double metric[QS_MAX_METRICS][2];
    size_t steps, samples;
} qs_sums;

/* Both add to *sums. A pass that ends by stop, on_step or max_steps is QS_OK: sums->steps tells. */
qs_status qs_trainer_train_pass(qs_trainer *t, const qs_pass *pass, qs_sums *sums, qs_error *err);
qs_status qs_trainer_eval_pass(qs_trainer *t, const qs_pass *pass, qs_sums *sums, qs_error *err);

/* Means of *sums; with sums of zero the names are filled and the values are 0. */
void qs_trainer_scores(const qs_trainer *t, const qs_sums *sums, qs_scores *out);

double qs_trainer_learning_rate(const qs_trainer *t); /* of the next step (after the schedule) */

/* Replace it. Errors: QS_E_ARG where a schedule sets it. */
qs_status qs_trainer_set_learning_rate(qs_trainer *t, double rate, qs_error *err);

/* Spans of all steps from now on go to tap (NULL: nowhere); borrowed. */
void qs_trainer_listen(qs_trainer *t, const qs_tap *tap);

/* What the trainer runs; its own. */
const struct qs_program *qs_trainer_program(const qs_trainer *t);

/* Weights and optimizer state from the model (which has them after a read). */
qs_status qs_trainer_load(qs_trainer *t, const qs_model *model, qs_error *err);

#endif
