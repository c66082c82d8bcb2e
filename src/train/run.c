/* SPDX-License-Identifier: MIT */
/* run.c - a whole training run: open, train, ask, close. */
#include "train/run.h"

#include <string.h>

#include "base/alloc.h"
#include "base/memory.h"
#include "base/number.h"
#include "train/class_weight.h"
#include "train/fit.h"
#include "train/folder.h"
#include "train/trace_file.h"

enum { PRESET_EPOCHS = 10 };

static qs_status check_sets(const qs_run *run, qs_error *err)
{
    QS_TRY(qs_fit_check(run->model, run->train, "training", err));
    if (run->valid)
        QS_TRY(qs_fit_check(run->model, run->valid, "validation", err));
    return run->test ? qs_fit_check(run->model, run->test, "test", err) : QS_OK;
}

static void resolve_options(qs_run *run)
{
    qs_train_options *o = &run->options;
    const char *epochs = qs_model_setting(run->model, "epochs");
    const char *shuffle = qs_model_setting(run->model, "data.shuffle");
    int64_t n;
    run->epochs = o->epochs;
    if (!run->epochs && epochs && qs_integer_parse(epochs, strlen(epochs), &n) && n > 0)
        run->epochs = (size_t)n;
    if (!run->epochs)
        run->epochs = PRESET_EPOCHS;
    if (o->shuffle == QS_AUTO)
        o->shuffle = shuffle && !strcmp(shuffle, "false") ? QS_OFF : QS_ON;
}

qs_status qs_run_feeder(const qs_run *run, const qs_data *data, bool shuffle, qs_feeder **out,
                        qs_error *err)
{
    qs_trainer_info info;
    qs_trainer_describe(run->trainer, &info);
    const qs_feeder_options options = {.batch = info.batch,
                                       .shuffle = shuffle,
                                       .seed = run->options.seed,
                                       .resident = run->options.resident,
                                       .prefetch = run->options.prefetch,
                                       .workers = -1};
    return qs_feeder_open(data, &options, out, err);
}

static qs_status open_feeders(qs_run *run, qs_error *err)
{
    QS_TRY(qs_run_feeder(run, run->train, run->options.shuffle == QS_ON, &run->feeder, err));
    run->batches = qs_feeder_batches(run->feeder);
    return run->valid ? qs_run_feeder(run, run->valid, false, &run->valid_feeder, err) : QS_OK;
}

static qs_status open_class_weight(qs_run *run, qs_error *err)
{
    const char *text = qs_run_text(run->model, run->options.class_weight, "class_weight", NULL);
    size_t classes = qs_model_outputs(run->model);
    if (!text)
        return QS_OK;
    if (classes < 2)
        classes = run->train->classes < 2 ? 2 : run->train->classes;
    run->class_weight = qs_calloc(classes, sizeof(float));
    if (!run->class_weight)
        return qs_fail_memory(err, 4.0 * (double)classes, "class weights");
    return qs_class_weight_parse(text, run->class_weight, classes, err);
}

static qs_status open_early_stop(qs_run *run, const char *text, qs_error *err)
{
    if (!text)
        return QS_OK;
    run->has_early = true;
    QS_TRY(qs_early_stop_parse(text, &run->early, err));
    return qs_watch_resolve(&run->early.watch, &run->like, run->valid != NULL, err);
}

/* Setting the rate that is set already shows whether a schedule forbids it. */
static qs_status open_plateau(qs_run *run, const char *text, qs_error *err)
{
    if (!text)
        return QS_OK;
    run->has_plateau = true;
    QS_TRY(qs_plateau_parse(text, &run->plateau, err));
    QS_TRY(qs_watch_resolve(&run->plateau.watch, &run->like, run->valid != NULL, err));
    return qs_trainer_set_learning_rate(run->trainer, qs_trainer_learning_rate(run->trainer), err);
}

static qs_status open_callbacks(qs_run *run, qs_error *err)
{
    const qs_train_options *o = &run->options;
    const qs_sums none = {0};
    qs_trainer_scores(run->trainer, &none, &run->like);
    QS_TRY(qs_context(
        err,
        open_early_stop(run, qs_run_text(run->model, o->early_stop, "early_stopping", NULL), err),
        "early stopping"));
    return qs_context(
        err, open_plateau(run, qs_run_text(run->model, o->reduce_lr, "reduce_lr", NULL), err),
        "learning-rate reduction");
}

static void open_progress(qs_run *run)
{
    qs_progress_cell *cell = &run->progress;
    atomic_store(&cell->epoch, 1);
    atomic_store(&cell->epochs, run->epochs);
    atomic_store(&cell->steps, run->batches);
    atomic_store(&cell->metrics, run->like.metrics);
    memcpy(cell->name, run->like.name, sizeof cell->name);
}

static qs_status open_notes(qs_run *run, qs_error *err)
{
    const long long class = run->valid ? qs_fit_missing_class(run->train, run->valid) : -1;
    if (class < 0)
        run->notes = qs_strdup("");
    else
        run->notes = qs_format("class %lld is in the training rows but not in the validation rows: "
                               "a split takes the last rows as they stand, so rows sorted by class "
                               "should be mixed first",
                               class);
    return run->notes ? QS_OK : qs_fail_memory(err, 1e3, "notes");
}

static qs_status open_record(qs_run *run, const qs_train_options *given, qs_error *err)
{
    enum { SPANS = 1 << 17 }; /* of each thread: some hundred steps */
    qs_trainer_info info;
    if (!given->profile)
        return QS_OK;
    if (!given->out && !given->resume)
        return qs_fail(err, QS_E_ARG, "a profile goes into the run's folder; name one");
    qs_trainer_describe(run->trainer, &info);
    QS_TRY(qs_record_open((size_t)info.threads, SPANS, &run->record, err));
    qs_trainer_listen(run->trainer, qs_record_tap(run->record));
    return QS_OK;
}

static qs_status write_trace(qs_run *run, qs_error *err)
{
    unsigned char *bytes;
    size_t n;
    if (!run->record)
        return QS_OK;
    QS_TRY(
        qs_trace_pack(run->record, qs_trainer_program(run->trainer), run->model, &bytes, &n, err));
    const qs_status status = qs_run_folder_write(run->folder, QS_FILE_TRACE, bytes, n, err);
    qs_free(bytes);
    return status;
}

static size_t most_rows(const qs_run *run)
{
    size_t rows = run->train->rows;
    if (run->valid && run->valid->rows > rows)
        rows = run->valid->rows;
    return run->test && run->test->rows > rows ? run->test->rows : rows;
}

static qs_status open_all(qs_run *run, const qs_train_options *given, qs_error *err)
{
    const double start = qs_now();
    QS_TRY(check_sets(run, err));
    resolve_options(run);
    QS_TRY(qs_trainer_open_for(run->model, given, most_rows(run), &run->trainer, err));
    QS_TRY(open_feeders(run, err));
    QS_TRY(open_record(run, given, err));
    run->compile_s = qs_now() - start;
    QS_TRY(open_class_weight(run, err));
    QS_TRY(open_callbacks(run, err));
    open_progress(run);
    QS_TRY(open_notes(run, err));
    QS_TRY(qs_run_settings(run, &run->settings, err));
    return qs_run_begin(run, given->out, given->resume, err);
}

qs_status qs_run_open(qs_model *model, const qs_data *train, const qs_data *valid,
                      const qs_data *test, const qs_train_options *options, qs_run **out,
                      qs_error *err)
{
    const qs_train_options presets = QS_TRAIN_OPTIONS;
    const size_t refusals = qs_alloc_refusals();
    qs_run *run = qs_calloc(1, sizeof *run);
    if (!run)
        return qs_fail_memory(err, sizeof *run, "a run");
    if (!options)
        options = &presets;
    run->lock = -1;
    run->model = model;
    run->train = train;
    run->valid = valid;
    run->test = test;
    run->options = *options;
    const qs_status status =
        qs_memory_verdict(refusals, open_all(run, options, err), "the run", err);
    if (status == QS_OK)
        *out = run;
    else
        qs_run_close(run);
    return status;
}

/* Keras puts the best weights back whenever training ends, not only when patience ran out. */
static qs_status restore_best(qs_run *run, qs_error *err)
{
    QS_TRY(qs_trainer_sync(run->trainer, err));
    if (!run->has_early || !run->early.restore || !run->state.kept)
        return QS_OK;
    qs_model_restore(run->model, run->state.kept);
    return qs_trainer_load(run->trainer, run->model, err);
}

static qs_status run_test(qs_run *run, qs_error *err)
{
    qs_feeder *feeder;
    bool done;
    if (!run->test)
        return QS_OK;
    QS_TRY(qs_run_feeder(run, run->test, false, &feeder, err));
    const qs_status status = qs_run_evaluate(run, feeder, &run->test_scores, &done, err);
    qs_feeder_close(feeder);
    return status == QS_OK && !done ? qs_run_stopped(run, err) : status;
}

/* After the last step: the model holds the result and is written. */
static qs_status end(qs_run *run, qs_error *err)
{
    const bool stopped = !strcmp(run->reason, "stopped");
    if (stopped)
        QS_TRY(qs_trainer_sync(run->trainer, err));
    else
        QS_TRY(restore_best(run, err));
    if (run->folder)
        QS_TRY(qs_run_folder_save(run->folder, QS_FILE_MODEL, run->model, err));
    return stopped ? QS_OK : run_test(run, err);
}

static qs_status fill_result(const qs_run *run, qs_result *out, qs_error *err)
{
    const qs_run_state *state = &run->state;
    const bool resident = qs_feeder_resident(run->feeder);
    qs_result result = {.epoch = state->history.epoch,
                        .epochs = state->history.epochs,
                        .has_test = run->test_scores.samples > 0,
                        .test = run->test_scores,
                        .compile_s = run->compile_s,
                        .train_s = run->train_s,
                        .steps_per_epoch = run->batches,
                        .steps = state->steps,
                        .step_loss = state->step_loss,
                        .step_losses = state->step_loss ? state->steps : 0,
                        .resident = resident,
                        .input = resident ? "resident" : "prefetch",
                        .stop = run->reason,
                        .folder = run->folder,
                        .notes = run->notes};
    qs_trainer_describe(run->trainer, &result.trainer);
    QS_TRY(qs_history_step_ms(&state->history, &result.ms_per_step, err));
    *out = result;
    return QS_OK;
}

qs_status qs_run_train(qs_run *run, qs_result *out, qs_error *err)
{
    const double start = qs_now();
    if (run->reason)
        return qs_fail(err, QS_E_ARG, "this run has ended (%s); open another that resumes it",
                       run->reason);
    qs_status status = qs_run_epochs(run, err);
    run->train_s = qs_now() - start;
    /* A stop leaves its own story in err unless what follows fails. */
    if (status == QS_E_NAN)
        qs_run_write_best(run, NULL);
    if (status == QS_OK || status == QS_E_STOPPED) {
        qs_status ended = end(run, err);
        if (ended == QS_OK)
            ended = write_trace(run, err);
        status = ended == QS_OK ? status : ended;
    }
    if (status == QS_OK || status == QS_E_STOPPED)
        QS_TRY(fill_result(run, out, err));
    return status;
}

void qs_run_stop(qs_run *run)
{
    atomic_store(&run->stop, 1);
}

void qs_run_progress(const qs_run *run, qs_progress *out)
{
    const qs_progress_cell *cell = &run->progress;
    *out = (qs_progress){.epoch = atomic_load(&cell->epoch),
                         .epochs = atomic_load(&cell->epochs),
                         .step = atomic_load(&cell->step),
                         .steps = atomic_load(&cell->steps),
                         .samples = atomic_load(&cell->samples),
                         .loss = atomic_load(&cell->loss),
                         .metrics = atomic_load(&cell->metrics),
                         .evaluating = atomic_load(&cell->evaluating)};
    memcpy(out->name, cell->name, sizeof out->name);
    for (int i = 0; i < QS_MAX_METRICS; i++)
        out->value[i] = atomic_load(&cell->value[i]);
}

qs_trainer *qs_run_trainer(qs_run *run)
{
    return run->trainer;
}

qs_status qs_run_record(qs_run *run, const char *json, qs_error *err)
{
    if (!run->folder)
        return QS_OK;
    return qs_run_folder_write(run->folder, QS_FILE_RECORD, json, strlen(json), err);
}

void qs_run_close(qs_run *run)
{
    if (!run)
        return;
    qs_feeder_close(run->feeder);
    qs_feeder_close(run->valid_feeder);
    qs_trainer_close(run->trainer);
    qs_record_close(run->record);
    qs_run_state_free(&run->state);
    qs_snapshot_free(&run->best);
    json_decref(run->settings);
    qs_free(run->class_weight);
    qs_run_folder_unlock(run->lock);
    qs_free(run->folder);
    qs_free(run->notes);
    qs_free(run);
}
