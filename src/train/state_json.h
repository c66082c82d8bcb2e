/* SPDX-License-Identifier: MIT */
/* state_json.h - the scalars of a checkpoint as JSON; doubles come back the same. Private. */
#ifndef QS_TRAIN_STATE_JSON_H
#define QS_TRAIN_STATE_JSON_H

#include "train/checkpoint.h"

/* Owned text (qs_free); NULL when memory runs out or a number is not finite. */
char *qs_state_json_write(const qs_run_state *state, const qs_optim_state *optim, json_t *settings);

/* Compares the settings and fills the scalars of *state and *optim.
 * Errors: QS_E_ARG names the setting that differs; QS_E_FORMAT. */
qs_status qs_state_json_read(const char *text, json_t *settings, qs_run_state *state,
                             qs_optim_state *optim, qs_error *err);

#endif
