/* SPDX-License-Identifier: MIT */
/* activation.h - activations by number. Private. */
#ifndef QS_KERNELS_ACTIVATION_H
#define QS_KERNELS_ACTIVATION_H

#include <stdbool.h>

typedef enum qs_activation_id {
#define QS_ACTIVATION(name)     QS_ACTIVATION_##name,
#define QS_ROW_ACTIVATION(name) QS_ACTIVATION_##name,
#include "kernels/activations.def"
#undef QS_ACTIVATION
    QS_ACTIVATIONS
} qs_activation_id;

/* Whether the slope of an elementwise activation is made of its input; else of its output, and the
 * input need not be kept. */
bool qs_activation_needs_input(int id);

#endif
