/* SPDX-License-Identifier: MIT */
/* snapshot.h - weights and optimizer state of a model at one moment, kept in memory. Private. */
#ifndef QS_TRAIN_SNAPSHOT_H
#define QS_TRAIN_SNAPSHOT_H

#include "nn/model.h"

typedef struct qs_snapshot {
    float *block;         /* all weights, then all slots; NULL: nothing is kept. Owned */
    qs_optim_state optim; /* its numbers alone */
} qs_snapshot;

/* Take what the model holds now in place of what was kept. The model has an optimizer's state. */
qs_status qs_snapshot_take(qs_snapshot *snapshot, const qs_model *model, qs_error *err);

/* Exchange the two; doing it again undoes it. */
void qs_snapshot_swap(qs_snapshot *snapshot, qs_model *model);

void qs_snapshot_free(qs_snapshot *snapshot);

#endif
