/* SPDX-License-Identifier: MIT */
/* fetch.h - rows of a set copied into a batch of one's own. Private. */
#ifndef QS_DATA_FETCH_H
#define QS_DATA_FETCH_H

#include "data/data.h"

/* Room for a batch; what the set lacks is NULL. */
typedef struct qs_batch {
    uint32_t *index; /* [batch] rows as a caller's source counts them */
    void *x, *y;
    float *row_factor, *weight;
} qs_batch;

qs_status qs_batch_alloc(const qs_data *data, size_t batch, qs_arena *arena, qs_batch *out,
                         qs_error *err);

/* Copy rows index[0..n). Errors, of a caller's source: QS_E_IO it failed, QS_E_DATA with the row. */
qs_status qs_batch_fill(const qs_data *data, const uint32_t *index, size_t n, const qs_batch *to,
                        qs_error *err);

/* The n rows that lie in `batch`, as a step wants them. */
void qs_batch_rows(const qs_data *data, const qs_batch *batch, size_t n, qs_rows *out);

#endif
