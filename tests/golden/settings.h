/* SPDX-License-Identifier: MIT */
/* settings.h - what a fixture was compiled and run with, as command-line text. */
#ifndef GOLDEN_SETTINGS_H
#define GOLDEN_SETTINGS_H

#include <jansson.h>

typedef struct settings {
    char loss[256], optimizer[512], learning_rate[256], metrics[256], weighted_metrics[256];
    char class_weight[128], early_stop[256], reduce_lr[256]; /* "" where there is none */
} settings;

void settings_read(const json_t *compile, const json_t *run, settings *out);

/* The name under which Keras reports metric i (plain ones first, then weighted); NULL past the end.
 */
const char *settings_metric_name(const json_t *compile, size_t i);

#endif
