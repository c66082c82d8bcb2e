/* SPDX-License-Identifier: MIT */
/* loss.c - the registry of losses, and what kernels are told of a loss. */
#include "nn/loss.h"

#include <string.h>

#define QS_KIND(name) extern const qs_loss_kind qs_loss_##name;
#include "nn/losses.def"
#undef QS_KIND

static const qs_kind *const kinds[] = {
#define QS_KIND(name) &qs_loss_##name.kind,
#include "nn/losses.def"
#undef QS_KIND
    NULL,
};

const qs_registry qs_loss_registry = {"losses", "loss", "keras.losses", kinds};

bool qs_labels_zero_one(const float *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (y[i] != 0 && y[i] != 1)
            return false;
    return true;
}

void qs_score_args(const qs_spec *spec, float arg[QS_SCORE_ARGS])
{
    memset(arg, 0, QS_SCORE_ARGS * sizeof *arg);
    const qs_attr *attr = spec->kind->attrs;
    for (int i = 0; attr && attr[i].name && i < QS_SCORE_ARGS; i++)
        arg[i] = (float)spec->value[i].number;
}
