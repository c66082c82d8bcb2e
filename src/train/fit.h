/* SPDX-License-Identifier: MIT */
/* fit.h - whether a set of samples fits a model. Private. */
#ifndef QS_TRAIN_FIT_H
#define QS_TRAIN_FIT_H

#include "data/data.h"
#include "nn/model.h"

/* `part` names the set in messages: "training", "validation", "test".
 * Errors: QS_E_SHAPE with both shapes; QS_E_DATA for no rows, no labels, or a label out of range,
 * with its row. */
qs_status qs_fit_check(const qs_model *model, const qs_data *data, const char *part, qs_error *err);

/* The first class that `some` has and `other` lacks; -1 for none, or where labels are not classes.
 */
long long qs_fit_missing_class(const qs_data *some, const qs_data *other);

#endif
