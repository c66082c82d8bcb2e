/* SPDX-License-Identifier: MIT */
/* source.h - what a data source is: it knows its own specs, and turns one into arrays. Private. */
#ifndef QS_DATA_SOURCE_H
#define QS_DATA_SOURCE_H

#include <stdbool.h>

#include "data/store.h"
#include "quickstep/data.h"

/* What a source found. Arrays of data NULL are absent. Everything lives in the store. */
typedef struct qs_parts {
    qs_array x, y, w;              /* [n, …], [n] or [n, k], [n] */
    const char *const *class_name; /* [classes]; label c is class_name[c] */
    size_t classes;
    const char *test; /* spec of the test part */
    bool narrow;      /* x is f64 only because text was read: f32 once it is scaled */
} qs_parts;

typedef struct qs_source_kind {
    const char *name; /* "npz" */
    const char *form; /* "FILE.npz[:X,Y[,W]]" */
    const char *help; /* one line */
    bool (*match)(const char *spec);
    qs_status (*open)(const char *spec, qs_store *store, qs_parts *out, qs_error *err);
} qs_source_kind;

/* All of them, in the order in which they are asked; ends with NULL. */
extern const qs_source_kind *const qs_source_kinds[];

/* The kind that takes `spec`. Errors: QS_E_MISSING, with the nearest names and forms. */
qs_status qs_source_find(const char *spec, const qs_source_kind **out, qs_error *err);

#endif
