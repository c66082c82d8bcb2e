/* SPDX-License-Identifier: MIT */
/* table.c - the kernels of one rung, by id. */
#include "kernels/kernels.h"
#include "kernels/vec/ops.h"
#include "kernels/vec/score.h"

#define QS_OPTIM(name)                                                                             \
    void QS_RUNG(qs_update_##name)(size_t n, const float *g, float *w, float *const *slot,         \
                                   const float *c);
#include "kernels/optims.def"
#undef QS_OPTIM

static const qs_score_kernels score = {
    .loss =
        {
#define QS_LOSS(name) QS_RUNG(qs_loss_##name),
#include "kernels/losses.def"
#undef QS_LOSS
        },
    .metric =
        {
#define QS_METRIC(name) QS_RUNG(qs_metric_##name),
#include "kernels/metrics.def"
#undef QS_METRIC
        },
};

static const qs_optim_kernels optim = {.update = {
#define QS_OPTIM(name) QS_RUNG(qs_update_##name),
#include "kernels/optims.def"
#undef QS_OPTIM
                                       }};

static const qs_kernel ops[] = {
#define QS_OP(name, axis) QS_RUNG(qs_op_##name),
#include "kernels/ops.def"
#undef QS_OP
};

extern const qs_kernel_tables QS_RUNG(qs_kernels);
const qs_kernel_tables QS_RUNG(qs_kernels) = {
    .name = QS_RUNG_NAME,
    .score = &score,
    .optim = &optim,
    .op = ops,
    .peak = QS_RUNG(qs_peak_run),
};
