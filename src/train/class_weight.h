/* SPDX-License-Identifier: MIT */
/* class_weight.h - "0=1.0,1=2.5" as one factor for each class. Private. */
#ifndef QS_TRAIN_CLASS_WEIGHT_H
#define QS_TRAIN_CLASS_WEIGHT_H

#include <stddef.h>

#include "base/fail.h"

/* weight [classes]; a class that is not named weighs 1.
 * Errors: QS_E_ARG for a class that is not there, or a weight that is not finite or
 * negative. */
qs_status qs_class_weight_parse(const char *text, float *weight, size_t classes, qs_error *err);

#endif
