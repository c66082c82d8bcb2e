/* SPDX-License-Identifier: MIT */
/* loop.c - epochs until something ends the run. */
#include <string.h>

#include "base/alloc.h"
#include "train/folder.h"
#include "train/run.h"

static int after_step(void *self, size_t step, double loss)
{
    qs_run *run = self;
    if (run->options.on_step && run->options.on_step(run->options.self, step, loss))
        atomic_store(&run->stop, 1);
    return 0;
}

static bool stopping(qs_run *run)
{
    return atomic_load(&run->stop) != 0;
}

/* Steps until the epoch ends, the run's limit is reached, or a checkpoint is due. */
static size_t steps_ahead(const qs_run *run)
{
    const size_t every = run->options.checkpoint_every, limit = run->options.steps;
    size_t n = run->batches - run->state.sums.steps;
    if (limit && limit - run->state.steps < n)
        n = limit - run->state.steps;
    if (every && every - run->state.steps % every < n)
        n = every - run->state.steps % every;
    return n;
}

/* Some words on what is left, behind what the trainer says. */
static qs_status explain(const qs_run *run, qs_status status, qs_error *err)
{
    if (status == QS_E_NAN && run->folder)
        qs_run_advise(err, "the last good state is in %s/%s", run->folder, QS_CHECKPOINTS);
    return status;
}

static qs_status train_some(qs_run *run, size_t steps, qs_error *err)
{
    qs_run_state *state = &run->state;
    const uint64_t epoch = state->history.epochs + 1;
    const size_t before = state->sums.steps;
    if (run->options.step_losses)
        QS_TRY(qs_run_state_room(state, state->steps + steps, err));
    QS_TRY(qs_feeder_start(run->feeder, epoch, before, err));

    const qs_pass pass = {.feeder = run->feeder,
                          .epoch = epoch,
                          .first_step = before,
                          .max_steps = steps,
                          .step_loss = state->step_loss ? state->step_loss + state->steps : NULL,
                          .class_weight = run->class_weight,
                          .stop = &run->stop,
                          .on_step = run->options.on_step ? after_step : NULL,
                          .self = run,
                          .progress = &run->progress};
    const double start = qs_now();
    run->saved = false;
    QS_TRY(explain(run, qs_trainer_train_pass(run->trainer, &pass, &state->sums, err), err));
    state->train_s += qs_now() - start;
    state->waiting_s += qs_feeder_waited(run->feeder);
    state->steps += state->sums.steps - before;
    return QS_OK;
}

static void begin_epoch(qs_run *run)
{
    qs_run_state *state = &run->state;
    state->sums = (qs_sums){0};
    state->rate = qs_trainer_learning_rate(run->trainer);
    state->train_s = state->waiting_s = 0;
}

/* Train what is left of the epoch; ends early at a stop or the run's limit. */
static qs_status train_rest(qs_run *run, qs_error *err)
{
    const size_t every = run->options.checkpoint_every;
    const qs_run_state *state = &run->state;
    for (size_t n; (n = steps_ahead(run)) && !stopping(run);) {
        QS_TRY(train_some(run, n, err));
        if (every && state->steps % every == 0 && state->sums.steps < run->batches)
            QS_TRY(qs_run_save(run, err));
    }
    return QS_OK;
}

qs_status qs_run_evaluate(qs_run *run, qs_feeder *feeder, qs_scores *out, bool *done, qs_error *err)
{
    qs_sums sums = {0};
    const qs_pass pass = {.feeder = feeder, .epoch = 1, .stop = &run->stop};
    QS_TRY(qs_feeder_start(feeder, 1, 0, err));
    atomic_store(&run->progress.evaluating, 1);
    const qs_status status = qs_trainer_eval_pass(run->trainer, &pass, &sums, err);
    atomic_store(&run->progress.evaluating, 0);
    *done = sums.steps == qs_feeder_batches(feeder);
    if (status == QS_OK && *done)
        qs_trainer_scores(run->trainer, &sums, out);
    return status;
}

/* The row of the running epoch; *done is false where validation was stopped. */
static qs_status make_row(qs_run *run, qs_epoch *row, bool *done, qs_error *err)
{
    const qs_run_state *state = &run->state;
    const double start = qs_now();
    *done = true;
    *row = (qs_epoch){.epoch = state->history.epochs + 1,
                      .has_valid = run->valid_feeder != NULL,
                      .learning_rate = state->rate,
                      .steps = state->sums.steps};
    qs_trainer_scores(run->trainer, &state->sums, &row->train);
    if (row->has_valid)
        QS_TRY(qs_run_evaluate(run, run->valid_feeder, &row->valid, done, err));
    row->seconds = state->train_s + qs_now() - start;
    row->seconds_waiting = state->waiting_s;
    return QS_OK;
}

/* The model holds the weights of this very moment. */
static qs_status keep_best(qs_run *run, const qs_epoch *row, qs_error *err)
{
    qs_run_state *state = &run->state;
    if (!run->folder || !row->has_valid || (state->has_best && !(row->valid.loss < state->best)))
        return QS_OK;
    QS_TRY(qs_snapshot_take(&run->best, run->model, err));
    run->best_waits = true;
    state->has_best = true;
    state->best = row->valid.loss;
    return QS_OK;
}

static qs_status keep_for_early_stop(qs_run *run, qs_error *err)
{
    const size_t bytes = qs_model_elements(run->model) * sizeof(float);
    if (!run->state.kept)
        run->state.kept = qs_malloc(bytes);
    if (!run->state.kept)
        return qs_fail_memory(err, (double)bytes, "the best weights");
    qs_model_keep(run->model, run->state.kept);
    return QS_OK;
}

static qs_status call_back(qs_run *run, const qs_epoch *row, qs_error *err)
{
    qs_run_state *state = &run->state;
    if (run->has_plateau) {
        const double rate = qs_trainer_learning_rate(run->trainer);
        const double next = qs_plateau_epoch(&run->plateau, &state->plateau,
                                             qs_watch_value(&run->plateau.watch, row), rate);
        if (next != rate)
            QS_TRY(qs_trainer_set_learning_rate(run->trainer, next, err));
    }
    if (run->has_early) {
        const double value = qs_watch_value(&run->early.watch, row);
        if (qs_early_stop_epoch(&run->early, &state->early, row->epoch, value) &&
            run->early.restore)
            QS_TRY(keep_for_early_stop(run, err));
    }
    return QS_OK;
}

static qs_status append_row(const qs_run *run, const qs_epoch *row, qs_error *err)
{
    if (!run->folder)
        return QS_OK;
    char *text = qs_history_csv_row(row, run->valid != NULL);
    if (!text)
        return qs_fail_memory(err, 1e3, QS_FILE_HISTORY);
    const qs_status status = qs_run_folder_append(run->folder, QS_FILE_HISTORY, text, err);
    qs_free(text);
    return status;
}

static qs_status add_row(qs_run *run, const qs_epoch *row, qs_error *err)
{
    QS_TRY(qs_history_add(&run->state.history, row, run->state.train_s, err));
    return append_row(run, row, err);
}

static void tell(qs_run *run, const qs_epoch *row)
{
    if (run->options.on_epoch && run->options.on_epoch(run->options.self, row))
        atomic_store(&run->stop, 1);
}

static bool save_is_due(const qs_run *run)
{
    const size_t every = run->options.checkpoint_every;
    return every ? run->state.steps % every == 0 : qs_now() >= run->next_save;
}

static qs_status finish_epoch(qs_run *run, const qs_epoch *row, qs_error *err)
{
    run->saved = false;
    QS_TRY(qs_trainer_sync(run->trainer, err));
    QS_TRY(call_back(run, row, err));
    QS_TRY(keep_best(run, row, err));
    QS_TRY(add_row(run, row, err));
    begin_epoch(run);
    if (save_is_due(run))
        QS_TRY(qs_run_save(run, err));
    tell(run, row);
    return QS_OK;
}

static void show(qs_run *run)
{
    qs_progress_cell *cell = &run->progress;
    atomic_store(&cell->epoch, run->state.history.epochs + 1);
    atomic_store(&cell->step, run->state.sums.steps);
    atomic_store(&cell->samples, run->state.sums.samples);
}

static qs_status one_epoch(qs_run *run, qs_error *err)
{
    qs_epoch row;
    bool done;
    if (!run->state.sums.steps)
        begin_epoch(run);
    show(run);
    QS_TRY(train_rest(run, err));
    if (run->state.sums.steps < run->batches || stopping(run))
        return QS_OK;
    QS_TRY(make_row(run, &row, &done, err));
    return done ? finish_epoch(run, &row, err) : QS_OK;
}

static const char *reason_to_end(const qs_run *run)
{
    const qs_run_state *state = &run->state;
    if (run->has_early && state->early.stopped)
        return "early_stop";
    if (state->history.epochs >= run->epochs)
        return "epochs";
    if (run->options.steps && state->steps >= run->options.steps &&
        state->sums.steps < run->batches)
        return "steps";
    return NULL;
}

/* A run that its limit ended within an epoch has a row for what it trained of it, which is not in
 * the checkpoint: going on completes that epoch. */
static qs_status finish_partial(qs_run *run, qs_error *err)
{
    qs_epoch row;
    bool done;
    if (!run->state.sums.steps)
        return QS_OK;
    QS_TRY(make_row(run, &row, &done, err));
    row.has_valid &= done;
    if (!run->state.has_best && done)
        QS_TRY(keep_best(run, &row, err));
    QS_TRY(qs_run_write_best(run, err));
    QS_TRY(add_row(run, &row, err));
    tell(run, &row);
    return QS_OK;
}

qs_status qs_run_stopped(qs_run *run, qs_error *err)
{
    run->reason = "stopped";
    if (run->folder)
        return qs_fail(err, QS_E_STOPPED, "stopped after step %zu; go on with --resume %s",
                       run->state.steps, run->folder);
    return qs_fail(err, QS_E_STOPPED, "stopped after step %zu", run->state.steps);
}

/* What was trained of an epoch before a stop is shown in the result alone. */
static qs_status stop_here(qs_run *run, qs_error *err)
{
    QS_TRY(qs_run_save(run, err));
    if (run->state.sums.steps) {
        qs_epoch row = {.epoch = run->state.history.epochs + 1,
                        .learning_rate = run->state.rate,
                        .seconds = run->state.train_s,
                        .seconds_waiting = run->state.waiting_s,
                        .steps = run->state.sums.steps};
        qs_trainer_scores(run->trainer, &run->state.sums, &row.train);
        QS_TRY(qs_history_add(&run->state.history, &row, run->state.train_s, err));
    }
    return qs_run_stopped(run, err);
}

qs_status qs_run_epochs(qs_run *run, qs_error *err)
{
    QS_TRY(qs_run_write_first(run, err));
    while (!(run->reason = reason_to_end(run))) {
        if (stopping(run))
            return stop_here(run, err);
        QS_TRY(one_epoch(run, err));
    }
    QS_TRY(qs_run_save(run, err));
    return strcmp(run->reason, "steps") ? QS_OK : finish_partial(run, err);
}
