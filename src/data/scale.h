/* SPDX-License-Identifier: MIT */
/* scale.h - how samples are scaled: one factor a row, or one multiply and add a feature. Private. */
#ifndef QS_DATA_SCALE_H
#define QS_DATA_SCALE_H

#include "data/data.h"

/* The name as it is kept, "none" for NULL. Errors: QS_E_ARG with the nearest names. */
qs_status qs_scale_name(const char *asked, const char **out, qs_error *err);

/* Fill row_factor, mul, add of a set whose rows and scale are there. Statistics come from `like`
 * where it is not NULL. x may be replaced by a scaled copy: where elements have several bytes,
 * x * mul + add in f32 would lose digits that (x - mean) / deviation keeps. Errors: QS_E_SHAPE,
 * QS_E_ARG where `like` has other or no statistics, QS_E_IO of a custom source. */
qs_status qs_scale_fit(qs_data *data, const qs_data *like, qs_error *err);

bool qs_scale_by_row(const qs_data *data); /* l1, l2, max */

/* Factors of n rows at x, for a set that is scaled by row. */
void qs_scale_rows(const qs_data *data, const void *x, size_t n, float *factor);

/* x becomes f32 where it is f64. Errors: QS_E_NOMEM. */
qs_status qs_scale_narrow(qs_data *data, qs_error *err);

#endif
