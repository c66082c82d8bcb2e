/* SPDX-License-Identifier: MIT */
/* history.h - the finished epochs of a run, as rows of numbers and as CSV. Private. */
#ifndef QS_TRAIN_HISTORY_H
#define QS_TRAIN_HISTORY_H

#include "base/fail.h"
#include "quickstep/train.h"

typedef struct qs_history {
    qs_epoch *epoch; /* [epochs], owned */
    double *train_s; /* [epochs] seconds of the training pass alone, owned */
    size_t epochs, room;
} qs_history;

qs_status qs_history_add(qs_history *history, const qs_epoch *epoch, double train_s, qs_error *err);

/* Median over epochs of the milliseconds of a training step; 0 without epochs. */
qs_status qs_history_step_ms(const qs_history *history, double *ms, qs_error *err);

/* Numbers of one row: everything of an epoch but its names. */
size_t qs_history_columns(void);

/* rows [epochs, columns] f64, bit exact. */
void qs_history_rows(const qs_history *history, double *rows);
/* Replace what is there by rows; names come from `like`. */
qs_status qs_history_read(qs_history *history, const double *rows, size_t epochs,
                          const qs_scores *like, qs_error *err);

/* CSV: "epoch,loss,accuracy,val_loss,val_accuracy,lr,seconds,seconds_waiting". Texts are owned
 * (qs_free), NULL when memory runs out. */
char *qs_history_csv(const qs_history *history, const qs_scores *like, int has_valid);
char *qs_history_csv_row(const qs_epoch *epoch, int has_valid);

void qs_history_free(qs_history *history);

#endif
