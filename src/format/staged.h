/* SPDX-License-Identifier: MIT */
/* staged.h - weights read from a file, put into the model when all are there. Private. */
#ifndef QS_FORMAT_STAGED_H
#define QS_FORMAT_STAGED_H

#include "nn/model.h"

typedef struct qs_staged {
    float **data; /* [weights] each [count]; NULL where none came yet */
    int weights;
} qs_staged;

qs_status qs_staged_open(const qs_model *model, qs_staged *out, qs_error *err);

/* Memory for weight `index`, to be filled; asking again gives the same. NULL when memory runs out. */
float *qs_staged_weight(qs_staged *staged, const qs_model *model, int index);

/* Swap all that was filled into the model. Cannot fail. */
void qs_staged_commit(qs_staged *staged, qs_model *model);
void qs_staged_close(qs_staged *staged);

/* Give the numbers of an array of any type as floats. */
void qs_floats_of(const qs_array *array, bool fortran, float *out);

#endif
