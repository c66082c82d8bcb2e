/* SPDX-License-Identifier: MIT */
/* tensorboard.h - writes the scores of each epoch as TensorBoard reads them. */
#ifndef QS_CLI_TENSORBOARD_H
#define QS_CLI_TENSORBOARD_H

#include "quickstep/train.h"

typedef struct tensorboard {
    const char *folder; /* NULL: nothing is written */
    char file[64];      /* name of the event files of this run; "" before the first epoch */
} tensorboard;

/* Find out before training whether events can be written. Errors  QS_E_IO */
qs_status tensorboard_check(const tensorboard *tb, qs_error *err);

/* Add to FOLDER/train and, with validation, FOLDER/validation; both are made where missing. Tags
 * are Keras': epoch_loss, epoch_accuracy, epoch_learning_rate.
 * Errors  QS_E_IO */
qs_status tensorboard_epoch(tensorboard *tb, const qs_epoch *epoch, qs_error *err);

#endif
