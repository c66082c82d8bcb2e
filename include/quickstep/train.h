/* SPDX-License-Identifier: MIT */
/** @file train.h  Training, evaluating and predicting. */
#ifndef QUICKSTEP_TRAIN_H
#define QUICKSTEP_TRAIN_H

#include <stddef.h>
#include <stdint.h>

#include "quickstep/data.h"
#include "quickstep/model.h"
#include "quickstep/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { QS_MAX_METRICS = 8 };

typedef enum qs_choice { QS_AUTO = -1, QS_OFF = 0, QS_ON = 1 } qs_choice;

/** Means over samples of one pass or one step. */
typedef struct qs_scores {
    double loss;
    int metrics;
    const char *name[QS_MAX_METRICS]; /**< "accuracy", …; live as long as the trainer */
    double value[QS_MAX_METRICS];
    size_t samples;
} qs_scores;

/** One finished epoch. Times in seconds, wall clock. */
typedef struct qs_epoch {
    size_t epoch; /**< from 1 */
    qs_scores train;
    int has_valid;
    qs_scores valid;
    double seconds, seconds_waiting; /**< waiting: for data, out of seconds */
    double learning_rate;            /**< that the epoch began with */
    size_t steps;
} qs_epoch;

/** Where a running epoch is; cheap enough to ask many times a second. */
typedef struct qs_progress {
    size_t epoch, epochs, step, steps; /**< epoch from 1; step: finished ones of this epoch */
    size_t samples;                    /**< finished in this epoch */
    double loss;                       /**< mean of this epoch so far */
    int metrics;
    const char *name[QS_MAX_METRICS];
    double value[QS_MAX_METRICS];
    int evaluating; /**< the validation pass is running */
} qs_progress;

/**
 * How to train. Start from QS_TRAIN_OPTIONS and set what differs; new fields go at the end. Texts
 * are as on the command line and are borrowed during the call; NULL means what the model was
 * compiled with, or else the default (nadam, categorical_crossentropy, accuracy where there are
 * classes).
 */
typedef struct qs_train_options {
    size_t bytes; /**< sizeof(qs_train_options) */
    const char *loss, *optimizer, *learning_rate, *metrics, *weighted_metrics;
    size_t batch;  /**< 0: the model's, or 128 */
    size_t epochs; /**< 0: the model's, or 10 */
    size_t steps;  /**< stop after so many steps in all; 0: no limit */
    const char *device, *precision;
    int threads; /**< 0: physical cores within quota and affinity */
    uint64_t seed;
    qs_choice shuffle, resident;
    int prefetch; /**< batches ahead for streamed sets; -1: chosen */
    const char *early_stop, *reduce_lr, *class_weight;
    const char *out;    /**< folder of this run; NULL: none */
    const char *resume; /**< folder of a run to go on with; NULL: none */
    /** Steps; 0: each epoch, or after several short ones where that would take over 1/20 of the time. */
    size_t checkpoint_every;
    int step_losses; /**< keep each step's loss */
    int profile;     /**< write trace.json.gz into the run's folder, which must be given */
    /** After each epoch, from the calling thread; return non-zero to stop. May be NULL. */
    int (*on_epoch)(void *self, const qs_epoch *epoch);
    /** After each step, from the calling thread; return non-zero to stop. May be NULL. */
    int (*on_step)(void *self, size_t step, double loss);
    void *self;
} qs_train_options;

#define QS_TRAIN_OPTIONS                                                                           \
    {                                                                                              \
        .bytes = sizeof(qs_train_options), .seed = 1, .shuffle = QS_AUTO, .resident = QS_AUTO,     \
        .prefetch = -1                                                                             \
    }

typedef struct qs_trainer qs_trainer; /**< Opaque: the compiled step and all its memory. */

/**
 * Compile @p model into a training step: shapes, gradients, memory plan.
 *
 * @param model    borrowed; must outlive the trainer, and is changed at qs_trainer_sync() only
 * @param options  NULL means QS_TRAIN_OPTIONS
 * @param out      owned by the caller until qs_trainer_close(); untouched on failure
 *
 * Memory  all of it is taken here, nothing per step.
 * Threads one trainer is used by one thread at a time; several trainers may run at once.
 * Errors  QS_E_ARG          unknown name or value
 *         QS_E_SHAPE        loss and output do not fit
 *         QS_E_UNSUPPORTED  the text names what this device cannot do
 *         QS_E_NOMEM        the text has the bytes asked for
 */
QS_API qs_status qs_trainer_open(qs_model *model, const qs_train_options *options, qs_trainer **out,
                                 qs_error *err);

/**
 * One update from n samples in memory, n <= the trainer's batch: on-line learning. @p w may be
 * NULL. *loss is the mean before the update.
 * Shapes  x [n, sample shape], y [n] integer classes or [n, outputs] f32, w [n] f32
 * Errors  QS_E_SHAPE  the arrays and the model do not fit: the text has both shapes
 *         QS_E_DATA   a label is out of range · QS_E_NAN  the loss is not finite
 */
QS_API qs_status qs_trainer_step(qs_trainer *trainer, const qs_array *x, const qs_array *y,
                                 const qs_array *w, double *loss, qs_error *err);

/** One pass over @p data, in an order of seed and epoch. Errors  QS_E_NAN  step, layer, cause. */
QS_API qs_status qs_trainer_epoch(qs_trainer *trainer, const qs_data *data, qs_epoch *out,
                                  qs_error *err);

/**
 * Loss and metrics over @p data, nothing changed. @p confusion [classes, classes] may be NULL.
 * Errors  QS_E_SHAPE  data and model do not fit · QS_E_DATA  a label is out of range
 */
QS_API qs_status qs_trainer_evaluate(qs_trainer *trainer, const qs_data *data, qs_scores *out,
                                     uint64_t *confusion, qs_error *err);

/** Outputs for n samples, any n: @p y [n, outputs] f32. Errors  QS_E_SHAPE  x does not fit. */
QS_API qs_status qs_trainer_predict(qs_trainer *trainer, const qs_array *x, float *y,
                                    qs_error *err);

/** Outputs for a whole set: @p y [rows, outputs] f32. Errors  QS_E_SHAPE  data does not fit. */
QS_API qs_status qs_trainer_predict_data(qs_trainer *trainer, const qs_data *data, float *y,
                                         qs_error *err);

/**
 * Gradient of the loss of @p x, @p y, weighted by @p w (NULL: all 1), penalties included, with respect
 * to weight @p index (get_weights() order): @p out has that weight's shape. Nothing is changed. For
 * tests and study.
 * Errors  QS_E_ARG  no such weight, or it is not trainable · QS_E_SHAPE  rows do not fit the model
 */
QS_API qs_status qs_trainer_gradient(qs_trainer *trainer, const qs_array *x, const qs_array *y,
                                     const qs_array *w, size_t index, float *out, qs_error *err);

/** Copy weights and optimizer state back into the model. Errors  QS_E_NOMEM. */
QS_API qs_status qs_trainer_sync(qs_trainer *trainer, qs_error *err);

/** What the trainer is made of. */
typedef struct qs_trainer_info {
    const char *device, *device_reason, *precision, *loss, *optimizer;
    const char *tier;  /**< the execution path in use */
    const char *notes; /**< a line for each layer off the fast path, with the reason; "" for none */
    int threads;
    size_t batch;
    double flops_per_step;  /**< matrix products of one full step */
    size_t arena_bytes;     /**< all memory of the step */
    size_t allocated_bytes; /**< taken by the library while steps ran (of all its users): 0 */
    double learning_rate;   /**< of the next step */
    size_t steps;           /**< updates made so far */
} qs_trainer_info;
QS_API void qs_trainer_describe(const qs_trainer *trainer, qs_trainer_info *out);
QS_API void qs_trainer_close(qs_trainer *trainer); /**< NULL is fine */

/** Opaque: a whole training run: epochs, validation, callbacks, checkpoints, folder. */
typedef struct qs_run qs_run;

/** What a run came to. Texts and arrays live as long as the run. */
typedef struct qs_result {
    qs_trainer_info trainer;
    const qs_epoch *epoch;
    size_t epochs;
    int has_test;
    qs_scores test;
    double compile_s, train_s; /**< train: epochs with validation and checkpoints */
    double ms_per_step;        /**< median over epochs */
    size_t steps_per_epoch, steps;
    const double *step_loss; /**< with step_losses */
    size_t step_losses;
    int resident;      /**< data were used in place */
    const char *input; /**< "resident" or "prefetch" */
    const char *stop;  /**< why it ended: "epochs", "steps", "early_stop", "stopped" */
    const char *folder;
    const char *notes; /**< what the user should know of the data; "" for nothing */
} qs_result;

/**
 * Prepare a run. Model and sets are borrowed and must outlive it; @p valid and @p test may be NULL.
 * With options->resume the state of that run's last checkpoint is loaded first.
 * Errors  as qs_trainer_open(); QS_E_SHAPE  data and model do not fit: the text has both shapes;
 *         QS_E_DATA  a label is out of range
 */
QS_API qs_status qs_run_open(qs_model *model, const qs_data *train, const qs_data *valid,
                             const qs_data *test, const qs_train_options *options, qs_run **out,
                             qs_error *err);

/**
 * Train until the end, a stop or a failure. On QS_OK and on QS_E_STOPPED the model holds the result
 * and *out is filled; a stopped run can be gone on with by options->resume.
 * Errors  QS_E_NAN      step, layer and cause
 *         QS_E_STOPPED  qs_run_stop() or a call-back asked for it
 *         QS_E_IO       the folder cannot be written
 */
QS_API qs_status qs_run_train(qs_run *run, qs_result *out, qs_error *err);

/** Ask a run to stop after the present step. Any thread, any signal handler. */
QS_API void qs_run_stop(qs_run *run);

/** Where the run is. Any thread. */
QS_API void qs_run_progress(const qs_run *run, qs_progress *out);

/** The trainer of a run, borrowed. */
QS_API qs_trainer *qs_run_trainer(qs_run *run);

/**
 * Write @p json (one document: settings, environment, result) as the run's run.json. Without a
 * folder it does nothing. Errors  QS_E_IO.
 */
QS_API qs_status qs_run_record(qs_run *run, const char *json, qs_error *err);
QS_API void qs_run_close(qs_run *run); /**< NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
