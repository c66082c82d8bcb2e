/* SPDX-License-Identifier: MIT */
/* registry.c - finds a registry by its name. */
#include <string.h>

#include "nn/init.h"
#include "nn/loss.h"
#include "nn/metric.h"
#include "nn/model.h"
#include "nn/optim.h"
#include "nn/schedule.h"

const qs_registry *qs_registry_find(const char *name)
{
    static const qs_registry *const all[] = {
        &qs_layer_registry,       &qs_activation_registry, &qs_initializer_registry,
        &qs_regularizer_registry, &qs_constraint_registry, &qs_loss_registry,
        &qs_metric_registry,      &qs_optim_registry,      &qs_schedule_registry,
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i]->name, name))
            return all[i];
    return NULL;
}
