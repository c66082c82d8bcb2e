/* SPDX-License-Identifier: MIT */
/* folder.h - the folder of a run: which file is where, and how each is written. Private.
 *
 *   run.json      what the caller records of the run
 *   history.csv   a line for each finished epoch
 *   model.keras   the result
 *   best.keras    the model of the smallest val_loss, with validation
 *   trace.json.gz the latest spans, when profiled
 *   checkpoint/last.safetensors  all that is needed to go on
 *   checkpoint/start.keras       the model before the first step
 *
 * Whole files are replaced by renaming; history.csv grows by lines and is written anew on resume.
 */
#ifndef QS_TRAIN_FOLDER_H
#define QS_TRAIN_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fail.h"
#include "nn/model.h"

#define QS_FILE_RECORD     "run.json"
#define QS_FILE_HISTORY    "history.csv"
#define QS_FILE_MODEL      "model.keras"
#define QS_FILE_BEST       "best.keras"
#define QS_FILE_CHECKPOINT "checkpoint/last.safetensors"
#define QS_FILE_START      "checkpoint/start.keras"
#define QS_FILE_TRACE      "trace.json.gz"
#define QS_CHECKPOINTS     "checkpoint"

/* Make the folder of a new run.
 * Errors: QS_E_ARG where it already holds one; QS_E_IO. */
qs_status qs_run_folder_make(const char *folder, qs_error *err);

/* Keep other programs from training in the folder until *lock is closed; -1 where its file system
 * knows no locks. Errors: QS_E_ARG where another one does. */
qs_status qs_run_folder_lock(const char *folder, int *lock, qs_error *err);
void qs_run_folder_unlock(int lock); /* -1 is fine */

/* Whether the folder is a run's. */
bool qs_run_folder_is(const char *folder);

/* Remove what a run that was killed had begun to write. */
void qs_run_folder_sweep(const char *folder);

/* "folder/file"; qs_free() it. NULL when memory runs out. */
char *qs_run_folder_path(const char *folder, const char *file);

bool qs_run_folder_has(const char *folder, const char *file);

qs_status qs_run_folder_write(const char *folder, const char *file, const void *bytes, size_t n,
                              qs_error *err);

/* Add to the end of a file; not flushed to the disk, because the checkpoint holds the same. */
qs_status qs_run_folder_append(const char *folder, const char *file, const char *text,
                               qs_error *err);

qs_status qs_run_folder_save(const char *folder, const char *file, const qs_model *model,
                             qs_error *err);

/* Copy a file of another run; nothing where that has none. */
qs_status qs_run_folder_copy(const char *from, const char *to, const char *file, qs_error *err);

#endif
