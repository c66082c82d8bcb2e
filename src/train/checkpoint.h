/* SPDX-License-Identifier: MIT */
/* checkpoint.h - the state of a run between two steps, as bytes and back, bit exact. Private. */
#ifndef QS_TRAIN_CHECKPOINT_H
#define QS_TRAIN_CHECKPOINT_H

#include <jansson.h>

#include "nn/model.h"
#include "train/callback.h"
#include "train/history.h"
#include "train/trainer.h"

/* Where a run is, apart from the model's weights and optimizer state. */
typedef struct qs_run_state {
    size_t steps; /* updates made in all */

    /* The running epoch, which is number history.epochs + 1. */
    qs_sums sums;
    double rate; /* that it began with */
    double train_s, waiting_s;

    qs_watch_state early, plateau;
    bool has_best; /* best.keras was written, at this val_loss */
    double best;
    qs_history history; /* finished epochs */
    double *step_loss;  /* [steps] owned; NULL: not kept. NaN where it was not kept then */
    size_t step_room;
    float *kept; /* owned; all weights of the early stop's best epoch; NULL: none */
} qs_run_state;

/* Elements of all weights together: of qs_run_state.kept. */
size_t qs_model_elements(const qs_model *model);
/* Copy all weights of the model to and from one array [qs_model_elements()]. */
void qs_model_keep(const qs_model *model, float *kept);
void qs_model_restore(qs_model *model, const float *kept);

/* `settings` is an object of texts that must be the same when the run is gone on with. *bytes is
 * qs_malloc'ed. */
qs_status qs_checkpoint_encode(const qs_model *model, const qs_run_state *state, json_t *settings,
                               unsigned char **bytes, size_t *n, qs_error *err);

/* What is needed to make sense of the bytes. */
typedef struct qs_checkpoint_like {
    json_t *settings;
    const qs_scores *scores; /* names of the scores */
    bool step_losses;        /* wanted */
} qs_checkpoint_like;

/* Fill model (weights and optimizer state) and state; neither is touched on failure.
 * Errors: QS_E_ARG names the setting that differs, with both values; QS_E_FORMAT. */
qs_status qs_checkpoint_decode(const unsigned char *bytes, size_t n, const qs_checkpoint_like *like,
                               qs_model *model, qs_run_state *state, qs_error *err);

void qs_run_state_free(qs_run_state *state);

/* Make room for `steps` step losses; new ones are NaN. */
qs_status qs_run_state_room(qs_run_state *state, size_t steps, qs_error *err);

#endif
