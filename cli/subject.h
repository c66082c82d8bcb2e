/* SPDX-License-Identifier: MIT */
/* subject.h - a finished model, the samples to show it, and a trainer that computes. */
#ifndef QS_CLI_SUBJECT_H
#define QS_CLI_SUBJECT_H

#include "command.h"
#include "quickstep/quickstep.h"
#include "samples.h"
#include "settings.h"

/* Options that `eval` and `predict` share: the first member of their structs. */
typedef struct subject_options {
    const char *data, *scale, *weights, *device;
    int64_t batch, threads;
} subject_options;

/* Their rows for an option table whose struct is `type`, with subject_options as member `field`. */
#define SUBJECT_AT(type, field, member) offsetof(type, field.member)
#define SUBJECT_OPTIONS(type, field)                                                               \
    {"data",                                                                                       \
     OPT_TEXT,                                                                                     \
     SUBJECT_AT(type, field, data),                                                                \
     "SPEC",                                                                                       \
     "Samples; without it the test part of what the model was trained on",                         \
     .choices = "/"},                                                                              \
        {"scale",                                                                                  \
         OPT_TEXT,                                                                                 \
         SUBJECT_AT(type, field, scale),                                                           \
         "HOW",                                                                                    \
         "How to scale the samples; without it as in training, where that is known",               \
         .choices = "none|unit|l1|l2|max|standard|minmax"},                                        \
        {"weights",                                                                                \
         OPT_TEXT,                                                                                 \
         SUBJECT_AT(type, field, weights),                                                         \
         "FILE",                                                                                   \
         "Load these weights into the model first",                                                \
         .choices = "/"},                                                                          \
        {"batch",  OPT_COUNT,     SUBJECT_AT(type, field, batch), "N", "Samples in a step",        \
         .min = 1, .max = 1 << 24},                                                                \
        {"device",                                                                                 \
         OPT_TEXT,                                                                                 \
         SUBJECT_AT(type, field, device),                                                          \
         "D",                                                                                      \
         "auto[:a,b], cpu, opencl[:i] or cuda[:i]",                                                \
         .env = "QUICKSTEP_DEVICE"},                                                               \
    {                                                                                              \
        "threads", OPT_COUNT, SUBJECT_AT(type, field, threads), "N",                               \
            "Threads; without it the physical cores", .env = "QUICKSTEP_THREADS", .min = 1,        \
                                                      .max = 4096                                  \
    }

typedef struct subject {
    qs_model *model;
    settings known;
    samples_one set;
    const qs_data *data; /* of set */
    qs_trainer *trainer;
} subject;

/* `train` holds what else the trainer needs to know: loss and metrics. Unless `quiet` a model that
 * has only its initial weights is remarked upon. */
qs_status subject_open(const invocation *in, const subject_options *o, qs_train_options *train,
                       subject *out, qs_error *err);
void subject_close(subject *s);

#endif
