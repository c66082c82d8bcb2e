/* SPDX-License-Identifier: MIT */
/* run.h - what the files of a run share. Private. */
#ifndef QS_TRAIN_RUN_H
#define QS_TRAIN_RUN_H

#include <jansson.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/record.h"
#include "base/tap.h"
#include "data/feeder.h"
#include "nn/model.h"
#include "train/callback.h"
#include "train/checkpoint.h"
#include "train/snapshot.h"
#include "train/trainer.h"

struct qs_run {
    /* Borrowed. Texts of the options may be gone after qs_run_open(); what stays is copied. */
    qs_model *model;
    const qs_data *train, *valid, *test;
    qs_train_options options;

    /* Owned. */
    qs_trainer *trainer;
    qs_feeder *feeder, *valid_feeder; /* valid_feeder NULL: no validation */
    char *folder;                     /* NULL: none */
    int lock;                         /* on the folder; -1: none */
    json_t *settings;                 /* that must be the same on resume */
    float *class_weight;              /* NULL: all 1 */
    char *notes;
    qs_record *record; /* NULL: not profiled */

    size_t epochs, batches; /* to train; of one epoch */
    bool has_early, has_plateau;
    qs_early_stop early;
    qs_plateau plateau;
    qs_scores like; /* names of the scores */

    qs_run_state state;
    bool saved;       /* the last checkpoint is of this very state */
    double next_save; /* moment on qs_now()'s clock from which a checkpoint is worth its time */
    bool best_waits;  /* best is not yet written */
    qs_snapshot best;
    qs_scores test_scores;
    const char *reason; /* why it ended; NULL: it has not */
    double compile_s, train_s;

    atomic_int stop;
    qs_progress_cell progress;
};

/* The option, or else what the model was compiled with, or else the preset (may be NULL). */
const char *qs_run_text(const qs_model *model, const char *option, const char *key,
                        const char *preset);

/* Put "; fmt" behind what a callee recorded: what is left, or what to do. */
void qs_run_advise(qs_error *err, const char *fmt, ...) QS_PRINTF(2, 3);

/* What must be the same when a run is gone on with, as an object of texts. */
qs_status qs_run_settings(const qs_run *run, json_t **out, qs_error *err);

/* How batches of a set are fetched; a set to evaluate keeps its order. */
qs_status qs_run_feeder(const qs_run *run, const qs_data *data, bool shuffle, qs_feeder **out,
                        qs_error *err);

/* Make or enter the folder and load the checkpoint to go on with. */
qs_status qs_run_begin(qs_run *run, const char *out, const char *resume, qs_error *err);

/* Write what a run begins with. Not when it is opened: the caller's run.json comes before, so that
 * a folder with a checkpoint always says what the run was asked for. */
qs_status qs_run_write_first(qs_run *run, qs_error *err);

/* Write best.keras where it waits for it. */
qs_status qs_run_write_best(qs_run *run, qs_error *err);

/* Write a checkpoint, unless the last one is as new; nothing without a folder. */
qs_status qs_run_save(qs_run *run, qs_error *err);

/* Train until run->reason says why it ended. */
qs_status qs_run_epochs(qs_run *run, qs_error *err);

/* The run ends because it was asked to: QS_E_STOPPED, and how to go on. */
qs_status qs_run_stopped(qs_run *run, qs_error *err);

/* Means over a whole set; *done says whether the pass was not stopped. */
qs_status qs_run_evaluate(qs_run *run, qs_feeder *feeder, qs_scores *out, bool *done,
                          qs_error *err);

#endif
