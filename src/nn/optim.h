/* SPDX-License-Identifier: MIT */
/* optim.h - what an optimizer is: arguments, slots, constants of a step, kernels. Private. */
#ifndef QS_NN_OPTIM_H
#define QS_NN_OPTIM_H

#include <stdint.h>

#include "kernels/optim.h"
#include "kernels/step.h"
#include "nn/attr.h"

/* What prepare() is told; all in double. */
typedef struct qs_optim_now {
    uint64_t step;        /* of this update, from 1 */
    double learning_rate; /* after the schedule */
    double *scalar; /* one number carried from step to step (Nadam's product of mu), starts at 1 */
} qs_optim_now;

/* One form of the rule; which one holds, and so which slots there are, depends on the arguments
 * (momentum, amsgrad, centered). */
typedef struct qs_optim_form {
    qs_optim_id update; /* kernel */
    int slots;
    const char *slot_name[QS_OPTIM_SLOTS]; /* Keras' variable names: "momentum", "velocity" */
} qs_optim_form;

typedef struct qs_optim_kind {
    qs_kind kind;
    const qs_optim_form *forms;
    int (*pick)(const qs_spec *spec); /* index of the form that holds; NULL: the only one */
    double (*slot_start)(const qs_spec *spec, int slot); /* NULL: 0 (Adagrad starts at 0.1) */
    int together; /* first slots that Keras' files keep weight by weight; others slot by slot */
    const char *scalar; /* Keras' name of the number in qs_optim_now.scalar; NULL: there is none */
    /* Constants of this step for the kernel, computed in double and rounded once. Called once a
     * step; c[QS_C_KEEP] and c[QS_C_RATE] are there already. */
    void (*prepare)(const qs_spec *spec, const qs_optim_now *now, float *c);
} qs_optim_kind;

extern const qs_registry qs_optim_registry;

/* spec is of the optimizers' registry. */
const qs_optim_form *qs_optim_form_of(const qs_spec *spec);
double qs_optim_slot_start(const qs_spec *spec, int slot);
void qs_optim_prepare(const qs_spec *spec, const qs_optim_now *now, float c[QS_OPTIM_CONSTANTS]);

double qs_optim_number(const qs_spec *spec, const char *name); /* of an argument that it has */

/* Its epsilon, never quite 0: padding, which has no gradient, must not become 0 / 0. */
float qs_optim_epsilon(const qs_spec *spec);

/* Every optimizer also takes these. weight_decay is part of prepare and kernel (w *= 1 - rate *
 * decay before the update, biases included); clipping is done before the kernel is called.
 * learning_rate is a number, or a spec of the registry "schedules": then value.spec is set. */
#define QS_OPTIM_ATTRS(rate, decay)                                                                \
    QS_RATE_ATTR(rate),                                                                            \
        QS_NUMBER_ATTR("weight_decay", decay, 0, 1e9,                                              \
                       "fraction of each weight taken off at each step, times the rate"),          \
        QS_NUMBER_ATTR("clipnorm", "null", 0, 1e30, "largest norm of one variable's gradient"),    \
        QS_NUMBER_ATTR("clipvalue", "null", 0, 1e30,                                               \
                       "largest absolute value of a gradient's element"),                          \
        QS_NUMBER_ATTR("global_clipnorm", "null", 0, 1e30,                                         \
                       "largest norm of all gradients together"),                                  \
        QS_FIXED_ATTR("use_ema", "false"),                                                         \
        QS_NUMBER_ATTR("ema_momentum", "0.99", 0, 1, "of no effect: use_ema is false"),            \
        QS_FIXED_ATTR("ema_overwrite_frequency", "null"),                                          \
        QS_FIXED_ATTR("loss_scale_factor", "null"),                                                \
        QS_FIXED_ATTR("gradient_accumulation_steps", "null")

/* clang-format off */
#define QS_RATE_ATTR(rate) {"learning_rate", QS_ATTR_NUMBER, rate, 0, 1e9, "schedules", "step size: a number or a schedule"}
/* clang-format on */

#define QS_BELOW_1 0.9999999999 /* the largest decay: 1 would never forget, and divide by 0 */

#endif
