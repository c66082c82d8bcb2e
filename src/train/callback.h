/* SPDX-License-Identifier: MIT */
/* callback.h - early stopping and plateau reduction as pure functions of an epoch's scores. Private.
 *
 * Keras 3's rules to the letter: it compares in f32, because its scores are f32.
 */
#ifndef QS_TRAIN_CALLBACK_H
#define QS_TRAIN_CALLBACK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fail.h"
#include "quickstep/train.h"

enum { QS_WATCH_NAME = 96 };

/* The score that a callback follows. */
typedef struct qs_watch {
    char name[QS_WATCH_NAME]; /* as asked for: "val_loss" */
    const char *mode;         /* auto, min, max */
    double min_delta;         /* >= 0 */
    bool valid;               /* of the validation pass */
    int metric;               /* place in qs_scores; -1: the loss */
    bool maximize;
} qs_watch;

/* What a callback remembers between epochs; checkpoints keep it. */
typedef struct qs_watch_state {
    bool has_best, stopped;
    double best;
    size_t best_epoch; /* from 1; 0: none yet */
    size_t wait, cooldown;
} qs_watch_state;

typedef struct qs_early_stop {
    qs_watch watch;
    size_t patience, start_from_epoch;
    bool has_baseline, restore;
    double baseline;
} qs_early_stop;

typedef struct qs_plateau {
    qs_watch watch;
    double factor, min_lr;
    size_t patience, cooldown;
} qs_plateau;

/* Read "METRIC[:k=v,...]". Errors: QS_E_ARG. The watch still has to be resolved. */
qs_status qs_early_stop_parse(const char *text, qs_early_stop *out, qs_error *err);
qs_status qs_plateau_parse(const char *text, qs_plateau *out, qs_error *err);

/* Find the score among those that the run has, and its better direction.
 * Errors: QS_E_ARG with the names there are; QS_E_ARG where the direction cannot be known. */
qs_status qs_watch_resolve(qs_watch *watch, const qs_scores *scores, bool has_valid, qs_error *err);

double qs_watch_value(const qs_watch *watch, const qs_epoch *epoch);

/* Epoch (from 1) ended with this score. Returns whether it is the best so far, so that its weights
 * are worth keeping; state->stopped says whether training ends. */
bool qs_early_stop_epoch(const qs_early_stop *stop, qs_watch_state *state, size_t epoch,
                         double value);

/* Returns the learning rate to go on with; `rate` where nothing changes. */
double qs_plateau_epoch(const qs_plateau *plateau, qs_watch_state *state, double value,
                        double rate);

#endif
