/* SPDX-License-Identifier: MIT */
/* labels.h - what y and w of a set mean: classes, outputs, weights. Private. */
#ifndef QS_DATA_LABELS_H
#define QS_DATA_LABELS_H

#include "data/data.h"
#include "data/source.h"

/* Fill y, outputs, classes and class names of a set whose rows are known. Whole numbers, one a
 * sample, are classes; other numbers are outputs. Names are those of `like`, if it has any. Errors:
 * QS_E_DATA with the sample's index: negative class, NaN or Inf, a name that `like` lacks. */
qs_status qs_labels_read(qs_data *data, const qs_parts *parts, const qs_data *like, qs_error *err);

/* Class names of `like`, which has some, copied. Errors: QS_E_NOMEM. */
qs_status qs_labels_name_like(qs_data *data, const qs_data *like, qs_error *err);

/* Fill weight. Errors: QS_E_DATA, QS_E_SHAPE. */
qs_status qs_weights_read(qs_data *data, const qs_array *w, qs_error *err);

#endif
