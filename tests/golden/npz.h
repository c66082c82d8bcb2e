/* SPDX-License-Identifier: MIT */
/* npz.h - arrays of a NumPy archive, for the golden tests. */
#ifndef GOLDEN_NPZ_H
#define GOLDEN_NPZ_H

#include <stdbool.h>

#include "quickstep/data.h"

typedef struct array {
    char name[64];
    qs_array view; /* data belongs to the archive */
    size_t count;  /* elements */
} array;

typedef struct npz {
    array *item;
    size_t count;
} npz;

bool npz_read(const char *path, npz *out);                   /* false: absent or not understood */
const array *npz_find(const npz *archive, const char *name); /* NULL: none */
double array_at(const array *a, size_t i);
void npz_free(npz *archive);

#endif
