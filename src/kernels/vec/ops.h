/* SPDX-License-Identifier: MIT */
/* ops.h - the kernels of one rung, one for each line of ops.def. Private. */
#ifndef QS_KERNELS_VEC_OPS_H
#define QS_KERNELS_VEC_OPS_H

#include "kernels/kernel.h"

#define QS_OP(name, axis) void QS_RUNG(qs_op_##name)(const qs_kernel_args *a);
#include "kernels/ops.def"
#undef QS_OP

/* Activation `id` (its place in activations.def) of n floats; x may be y. arg: its attributes. */
void QS_RUNG(qs_activate)(int id, size_t n, const float *x, float *y, const float *arg);

/* dx = dy * slope; xy is what the forward pass was given or gave, as qs_activation_needs_input()
 * says. dx may be dy. */
void QS_RUNG(qs_activate_grad)(int id, size_t n, const float *dy, const float *xy, float *dx,
                               const float *arg);

/* Multiply-adds in registers and nothing else, `rounds` times over; returns how many flops. */
double QS_RUNG(qs_peak_run)(size_t rounds);

/* What becomes of n gradients that lie `at` floats into a parameter: kept where p->grad is set, else
 * used at once. */
void QS_RUNG(qs_param_finish)(const qs_kernel_args *a, const qs_param_args *p, size_t at, size_t n,
                              const float *g);

#endif
