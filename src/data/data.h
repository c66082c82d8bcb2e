/* SPDX-License-Identifier: MIT */
/* data.h - a set of samples once it is open: arrays as stored, and how to scale them. Private. */
#ifndef QS_DATA_DATA_H
#define QS_DATA_DATA_H

#include "base/fail.h"
#include "data/store.h"
#include "kernels/step.h"
#include "quickstep/data.h"
#include "tensor/shape.h"

struct qs_data {
    qs_store store; /* owns what is below; empty for a part of a split */
    const char *name, *test;
    size_t rows;
    qs_shape sample;
    qs_dtype x_type;
    const void *x; /* [rows, sample]; NULL for a custom source */
    qs_dtype y_type;
    const void *y;  /* [rows] integers, or [rows, outputs] f32; NULL: none */
    size_t outputs; /* 0: classes */
    size_t classes;
    const float *weight;           /* [rows] or NULL */
    const char *const *class_name; /* [classes] or NULL */
    size_t named;                  /* how many class names there are */

    const char *scale;           /* of qs_data_options, never NULL */
    const float *row_factor;     /* [rows] or NULL; a custom source gets it batch by batch */
    const float *mul, *add;      /* [affine] or NULL */
    const double *shift, *width; /* [features] statistics of standard and minmax: (x - shift) /
                                    width; NULL: none */
    size_t affine;
    double held_back; /* of qs_data_options */

    qs_source source; /* read != NULL: rows come from the caller */
    size_t first;     /* of a split: the part's first row in its parent (pointers are moved) */
};

#endif
