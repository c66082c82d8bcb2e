/* SPDX-License-Identifier: MIT */
/* optim.h - what an optimizer is: arguments, slots, constants of a step, one kernel. Private. */
#ifndef QS_NN_OPTIM_H
#define QS_NN_OPTIM_H

#include <stdint.h>

#include "kernels/optim.h"
#include "nn/spec.h"

/* What prepare() is told; all in double. */
typedef struct qs_optim_now {
    uint64_t step;        /* of this update, from 1 */
    double learning_rate; /* after the schedule */
    double *scalar; /* one number carried from step to step (Nadam's product of mu), starts at 1 */
} qs_optim_now;

typedef struct qs_optim_kind {
    qs_kind kind;
    int slots;
    const char *slot_name[QS_OPTIM_SLOTS]; /* Keras' variable names: "momentum", "velocity" */
    double (*slot_start)(const qs_spec *spec, int slot); /* NULL: 0 (Adagrad starts at 0.1) */
    /* Constants of this step for update(), computed in double and rounded once. */
    void (*prepare)(const qs_spec *spec, const qs_optim_now *now, float *c);
    qs_update_fn update;
} qs_optim_kind;

extern const qs_registry qs_optim_registry;

/* Every optimizer also takes learning_rate, weight_decay, clipnorm, clipvalue, global_clipnorm: put
 * QS_OPTIM_ATTRS into its table. weight_decay is part of prepare/update (w *= 1 - lr * decay before
 * the update, biases included); clipping is done before update() is called. */
#define QS_OPTIM_ATTRS(rate)                                                                       \
    {                                                                                              \
        "learning_rate",                                                                           \
        QS_ATTR_NUMBER,                                                                            \
        rate,                                                                                      \
        0,                                                                                         \
        1e9,                                                                                       \
        NULL,                                                                                      \
        "step size; --lr also takes a schedule"},                                                  \
        {"weight_decay",                                                                           \
         QS_ATTR_NUMBER,                                                                           \
         "null",                                                                                   \
         0,                                                                                        \
         1e9,                                                                                      \
         NULL,                                                                                     \
         "fraction of the weight taken off each step, times the rate"},                            \
        {"clipnorm",                                                                               \
         QS_ATTR_NUMBER,                                                                           \
         "null",                                                                                   \
         0,                                                                                        \
         1e30,                                                                                     \
         NULL,                                                                                     \
         "largest norm of one variable's gradient"},                                               \
        {"clipvalue",                                                                              \
         QS_ATTR_NUMBER,                                                                           \
         "null",                                                                                   \
         0,                                                                                        \
         1e30,                                                                                     \
         NULL,                                                                                     \
         "largest absolute value of a gradient's element"},                                        \
        {"global_clipnorm",                                                                        \
         QS_ATTR_NUMBER,                                                                           \
         "null",                                                                                   \
         0,                                                                                        \
         1e30,                                                                                     \
         NULL,                                                                                     \
         "largest norm of all gradients together"},                                                \
        {"use_ema", QS_ATTR_FIXED, "false", 0, 0, NULL, NULL},                                     \
        {"ema_momentum", QS_ATTR_NUMBER, "0.99", 0, 1, NULL, NULL},                                \
        {"ema_overwrite_frequency", QS_ATTR_FIXED, "null", 0, 0, NULL, NULL},                      \
        {"loss_scale_factor", QS_ATTR_FIXED, "null", 0, 0, NULL, NULL},                            \
    {                                                                                              \
        "gradient_accumulation_steps", QS_ATTR_FIXED, "null", 0, 0, NULL, NULL                     \
    }

#endif
