/* SPDX-License-Identifier: MIT */
/* init.h - initial weights, and the other small registries of layers: activations, penalties,
 * constraints. Private. */
#ifndef QS_NN_INIT_H
#define QS_NN_INIT_H

#include <stdint.h>

#include "kernels/activation.h"
#include "nn/spec.h"
#include "tensor/shape.h"

/* What to fill: data [shape], from the numbers of `key`; fans as Keras computes them. */
typedef struct qs_fill {
    const qs_shape *shape;
    size_t fan_in, fan_out;
    uint64_t key;
    float *data;
} qs_fill;

typedef struct qs_initializer_kind {
    qs_kind kind;
    qs_status (*fill)(const qs_spec *spec, const qs_fill *to, qs_error *err);
} qs_initializer_kind;

extern const qs_registry
    qs_initializer_registry; /* zeros ones constant random_uniform … orthogonal identity */
extern const qs_registry qs_regularizer_registry; /* l1 l2 l1_l2 */
extern const qs_registry qs_constraint_registry;  /* max_norm non_neg unit_norm min_max_norm */

/* Fill by the spec's kind. QS_E_SHAPE where the initialiser cannot do such a shape. */
qs_status qs_initialize(const qs_spec *spec, const qs_fill *to, qs_error *err);

/* Fans of a kernel as Keras computes them: dense [in, out], convolution [..., in, out]. */
void qs_fans(const qs_shape *shape, size_t *fan_in, size_t *fan_out);

/* The two numbers of a penalty: l1 * sum |w| + l2 * sum w^2. spec may be NULL: none. */
void qs_regularizer_factors(const qs_spec *spec, double *l1, double *l2);

/* An activation's kind names the kernel: `id` is its place in kernels/activations.def. */
typedef struct qs_activation_kind {
    qs_kind kind;
    qs_activation_id id;
} qs_activation_kind;

extern const qs_registry qs_activation_registry;

/* The kernel for these arguments (relu has two) and its numbers: those of the table, "no maximum" of
 * relu being infinity, then zeros. */
enum { QS_ACTIVATION_ARGS = 4 };
qs_activation_id qs_activation_kernel(const qs_spec *spec, float arg[QS_ACTIVATION_ARGS]);

#endif
