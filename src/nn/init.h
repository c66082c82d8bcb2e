/* SPDX-License-Identifier: MIT */
/* init.h - initial weights, and the other small registries of layers: activations, penalties,
 * constraints. Private. */
#ifndef QS_NN_INIT_H
#define QS_NN_INIT_H

#include <stdint.h>

#include "nn/spec.h"
#include "tensor/shape.h"

typedef struct qs_initializer_kind {
    qs_kind kind;
    /* Fill data [shape] from the numbers of `key`. Fans as Keras computes them. */
    qs_status (*fill)(const qs_spec *spec, const qs_shape *shape, size_t fan_in, size_t fan_out,
                      uint64_t key, float *data, qs_error *err);
} qs_initializer_kind;

extern const qs_registry
    qs_initializer_registry; /* zeros ones constant random_uniform … orthogonal identity */
extern const qs_registry qs_regularizer_registry; /* l1 l2 l1_l2 */
extern const qs_registry qs_constraint_registry;  /* max_norm non_neg unit_norm min_max_norm */

/* An activation's kind names the kernel: `id` is its place in kernels/activations.def. */
typedef struct qs_activation_kind {
    qs_kind kind;
    int id;
} qs_activation_kind;

extern const qs_registry qs_activation_registry;

#endif
