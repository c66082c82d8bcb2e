/* SPDX-License-Identifier: MIT */
/* begin.c - the folder a run starts in, the checkpoint it goes on from, and writing the next. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/memory.h"
#include "train/folder.h"
#include "train/run.h"

enum { SAVE_SHARE = 20 }; /* checkpoints after short epochs take 1/20 of the time at most */

void qs_run_advise(qs_error *err, const char *fmt, ...)
{
    if (!err)
        return;
    const size_t used = strlen(err->text);
    char advice[sizeof err->text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(advice, sizeof advice, fmt, args);
    va_end(args);
    snprintf(err->text + used, sizeof err->text - used, "; %.*s", (int)(sizeof err->text - used),
             advice);
}

/* A run that was ended before its first checkpoint goes on from its beginning. */
static qs_status load_checkpoint(qs_run *run, const char *resume, qs_error *err)
{
    const qs_checkpoint_like like = {.settings = run->settings,
                                     .scores = &run->like,
                                     .step_losses = run->options.step_losses != 0};
    if (!qs_run_folder_has(resume, QS_FILE_CHECKPOINT))
        return QS_OK;
    char *path = qs_run_folder_path(resume, QS_FILE_CHECKPOINT);
    const unsigned char *bytes;
    size_t n;
    if (!path)
        return qs_fail_memory(err, (double)strlen(resume), "a path");
    qs_status status = qs_file_map(path, &bytes, &n, err);
    if (status == QS_OK) {
        status = qs_context(
            err, qs_checkpoint_decode(bytes, n, &like, run->model, &run->state, err), "%s", path);
        qs_file_unmap(bytes, n);
        if (status == QS_E_FORMAT)
            qs_run_advise(err, "it cannot be gone on with: start a new run without --resume");
        if (status == QS_OK)
            status = qs_trainer_load(run->trainer, run->model, err);
        run->saved = status == QS_OK;
    }
    qs_free(path);
    return status;
}

/* Two runs that begin at once: only one has the lock, and the other finds the first one's files. */
static qs_status make_new(qs_run *run, qs_error *err)
{
    QS_TRY(qs_run_folder_make(run->folder, err));
    QS_TRY(qs_run_folder_lock(run->folder, &run->lock, err));
    return qs_run_folder_make(run->folder, err);
}

static qs_status enter(qs_run *run, const char *resume, qs_error *err)
{
    if (!qs_run_folder_is(resume))
        return qs_fail(err, QS_E_MISSING,
                       "%s: holds no run to go on with (it has no folder '%s'); give the folder "
                       "that a run wrote",
                       resume, QS_CHECKPOINTS);
    if (!run->folder)
        run->folder = qs_strdup(resume);
    if (!run->folder)
        return qs_fail_memory(err, (double)strlen(resume), "a path");
    if (!strcmp(run->folder, resume)) {
        QS_TRY(qs_run_folder_lock(resume, &run->lock, err));
        return load_checkpoint(run, resume, err);
    }
    QS_TRY(load_checkpoint(run, resume, err));
    run->saved = false;
    QS_TRY(make_new(run, err));
    QS_TRY(qs_run_folder_copy(resume, run->folder, QS_FILE_START, err));
    return qs_run_folder_copy(resume, run->folder, QS_FILE_BEST, err);
}

static qs_status write_history(const qs_run *run, qs_error *err)
{
    char *csv = qs_history_csv(&run->state.history, &run->like, run->valid != NULL);
    if (!csv)
        return qs_fail_memory(err, 1e3, QS_FILE_HISTORY);
    const qs_status status =
        qs_run_folder_write(run->folder, QS_FILE_HISTORY, csv, strlen(csv), err);
    qs_free(csv);
    return status;
}

qs_status qs_run_begin(qs_run *run, const char *out, const char *resume, qs_error *err)
{
    if (out) {
        run->folder = qs_strdup(out);
        if (!run->folder)
            return qs_fail_memory(err, (double)strlen(out), "a path");
    }
    if (resume)
        return enter(run, resume, err);
    return out ? make_new(run, err) : QS_OK;
}

qs_status qs_run_write_first(qs_run *run, qs_error *err)
{
    if (!run->folder)
        return QS_OK;
    qs_run_folder_sweep(run->folder);
    if (!qs_run_folder_has(run->folder, QS_FILE_START))
        QS_TRY(qs_run_folder_save(run->folder, QS_FILE_START, run->model, err));
    QS_TRY(write_history(run, err));
    return qs_run_save(run, err);
}

qs_status qs_run_write_best(qs_run *run, qs_error *err)
{
    if (!run->best_waits)
        return QS_OK;
    qs_snapshot_swap(&run->best, run->model);
    const qs_status status = qs_run_folder_save(run->folder, QS_FILE_BEST, run->model, err);
    qs_snapshot_swap(&run->best, run->model);
    run->best_waits = status != QS_OK;
    return status;
}

/* best.keras goes first: a checkpoint that knows of it must not be there without it. */
qs_status qs_run_save(qs_run *run, qs_error *err)
{
    const double start = qs_now();
    unsigned char *bytes = NULL;
    size_t n;
    if (!run->folder || run->saved)
        return QS_OK;
    QS_TRY(qs_trainer_sync(run->trainer, err));
    QS_TRY(qs_run_write_best(run, err));
    const size_t refusals = qs_alloc_refusals();
    qs_status status =
        qs_checkpoint_encode(run->model, &run->state, run->settings, &bytes, &n, err);
    status = qs_memory_verdict(refusals, status, "the checkpoint", err);
    if (status == QS_OK)
        status = qs_run_folder_write(run->folder, QS_FILE_CHECKPOINT, bytes, n, err);
    qs_free(bytes);
    run->saved = status == QS_OK;
    run->next_save = qs_now() + SAVE_SHARE * (qs_now() - start);
    return qs_context(err, status, "the checkpoint was not written, the one before it is kept");
}
