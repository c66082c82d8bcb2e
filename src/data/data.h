/* SPDX-License-Identifier: MIT */
/* data.h - a set of samples once it is open: arrays as stored, and how to scale them. Private. */
#ifndef QS_DATA_DATA_H
#define QS_DATA_DATA_H

#include "base/arena.h"
#include "base/fail.h"
#include "kernels/step.h"
#include "quickstep/data.h"
#include "tensor/shape.h"

struct qs_data {
    qs_arena arena;
    char *name, *test;
    size_t rows;
    qs_shape sample;
    qs_dtype x_type;
    const void *x; /* [rows, sample]; NULL for a custom source */
    qs_dtype y_type;
    const void *y;  /* [rows] integers, or [rows, outputs] f32; NULL: none */
    size_t outputs; /* 0: classes */
    size_t classes;
    const float *weight;     /* [rows] or NULL */
    const float *row_factor; /* [rows] or NULL */
    const float *mul, *add;  /* [affine] or NULL */
    size_t affine;
    const char **class_name; /* [classes] or NULL */
    qs_source source;        /* read != NULL: rows come from the caller */
    const char *scale;
    size_t first; /* of a split: the part's first row in its parent (pointers are already moved) */
    void *map;    /* mapped or owned storage, released at close */
    size_t map_bytes;
};

#endif
