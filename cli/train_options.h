/* SPDX-License-Identifier: MIT */
/* train_options.h - what `train` can be told, and what it means for the library. */
#ifndef QS_CLI_TRAIN_OPTIONS_H
#define QS_CLI_TRAIN_OPTIONS_H

#include "options.h"
#include "quickstep/train.h"
#include "samples.h"
#include "settings.h"

typedef struct train_options {
    const char *data, *valid, *test, *scale;
    double validation_split;
    int64_t epochs, batch, steps;
    const char *optimizer, *lr, *loss, *metrics;
    const char *early_stop, *reduce_lr, *class_weight;
    int64_t seed;
    int shuffle;
    const char *device, *precision, *resident;
    int64_t threads, prefetch;
    const char *weights, *out, *save, *resume, *tensorboard;
    int no_out, steps_json, profile;
    int64_t checkpoint_every;
} train_options;

extern const option train_option_table[];

/* What can be refused before anything is read.
 * Errors  QS_E_ARG, QS_E_MISSING, QS_E_IO */
qs_status train_options_check(const train_options *o, qs_error *err);

/* Whether --save names a format without layers: the user knows that it loses them. */
int train_saves_weights_only(const train_options *o);

/* Each value is the option's, else an earlier run's, else the model's. */
void train_options_samples(const train_options *o, const settings *known, samples_plan *out);
void train_options_fill(const train_options *o, const settings *known, qs_train_options *out);

/* Have the model remember what it is trained with and on, so that its files do. */
qs_status train_options_keep(const samples_plan *plan, const qs_train_options *t, qs_model *model,
                             qs_error *err);

/* By the names that settings_text() asks for, so that a resumed run finds them. */
json_t *train_settings_json(const train_options *o, const samples_plan *plan,
                            const qs_train_options *t, const char *model);

#endif
