/* SPDX-License-Identifier: MIT */
/* activation.c - which activations need their input for the slope. */
#include "kernels/activation.h"

bool qs_activation_needs_input(int id)
{
    switch (id) {
    case QS_ACTIVATION_relu_general:
    case QS_ACTIVATION_leaky_relu:
    case QS_ACTIVATION_elu:
    case QS_ACTIVATION_softplus:
    case QS_ACTIVATION_silu:
    case QS_ACTIVATION_hard_silu:
    case QS_ACTIVATION_gelu:
    case QS_ACTIVATION_gelu_approximate:
    case QS_ACTIVATION_mish:
        return true;
    default:
        return false;
    }
}
