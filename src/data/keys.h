/* SPDX-License-Identifier: MIT */
/* keys.h - which arrays of a file are x, y and w. Private. */
#ifndef QS_DATA_KEYS_H
#define QS_DATA_KEYS_H

#include <stdbool.h>

#include "data/store.h"

typedef struct qs_keys {
    const char *x, *y, *w; /* y, w NULL: none */
    bool test;             /* x_test and y_test are there, too */
} qs_keys;

/* The well-known names; ends with NULL. */
extern const char *const qs_keys_known[];

/* `wanted` is "X,Y[,W]" or "" for the well-known names: x/y, x_train/y_train, data/target,
 * arr_0/arr_1, each of which may have sample_weight. `names` of the file end with NULL. Errors:
 * QS_E_ARG for a malformed `wanted`, QS_E_MISSING with the names that are there. */
qs_status qs_keys_find(qs_arena *arena, const char *wanted, const char *const *names, qs_keys *out,
                       qs_error *err);

#endif
