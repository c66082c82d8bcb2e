/* SPDX-License-Identifier: MIT */
/* cases.c - the list of all cases: one for an op, or one for each kernel behind it. */
#include "cases.h"

#include "kernels/activation.h"
#include "kernels/constraint.h"

#define ONE(op)        {#op, QS_OP_##op, 0, setup_##op},
#define EACH(op, kind) {#op "." #kind, QS_OP_##op, KIND(kind), setup_##op},

const op_case op_cases[] = {
    /* clang-format off */
    ONE(gather) ONE(targets)
    ONE(dense) ONE(dense_dx) ONE(dense_dz) ONE(pack) ONE(dense_dw)
#define KIND(name) QS_ACTIVATION_##name
#define QS_ACTIVATION(name) EACH(activation, name) EACH(activation_grad, name)
#include "kernels/activations.def"
#undef QS_ACTIVATION
#undef KIND
    ONE(softmax) ONE(softmax_grad) ONE(log_softmax) ONE(log_softmax_grad)
    ONE(dropout) ONE(noise) ONE(affine) ONE(affine_grad)
    ONE(prelu) ONE(prelu_dx) ONE(prelu_dparam)
    ONE(batch_norm_stats) ONE(batch_norm) ONE(batch_norm_dparam) ONE(batch_norm_dx)
    ONE(layer_norm) ONE(layer_norm_dx) ONE(layer_norm_dparam)
#define KIND(name) QS_LOSS_##name
#define QS_LOSS(name) EACH(loss, name)
#include "kernels/losses.def"
#undef QS_LOSS
#undef KIND
#define KIND(name) QS_METRIC_##name
#define QS_METRIC(name) EACH(metric, name)
#include "kernels/metrics.def"
#undef QS_METRIC
#undef KIND
    ONE(activity) ONE(penalty) ONE(grad_norm)
#define KIND(name) QS_OPTIM_##name
#define QS_OPTIM(name) EACH(update, name)
#include "kernels/optims.def"
#undef QS_OPTIM
#undef KIND
#define KIND(name) QS_CONSTRAINT_##name
    EACH(constrain, MAX_NORM) EACH(constrain, NON_NEG) EACH(constrain, UNIT_NORM)
    EACH(constrain, MIN_MAX_NORM)
#undef KIND
    /* clang-format on */
};

const size_t op_case_count = sizeof op_cases / sizeof *op_cases;

const char *op_name(qs_op op)
{
    static const char *const names[QS_OPS] = {
#define QS_OP(name, axis) [QS_OP_##name] = #name,
#include "kernels/ops.def"
#undef QS_OP
    };
    return names[op];
}
