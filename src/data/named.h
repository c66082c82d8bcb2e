/* SPDX-License-Identifier: MIT */
/* named.h - well-known sets of IDX or .npz files, found where people and packages put them. Private.
 */
#ifndef QS_DATA_NAMED_H
#define QS_DATA_NAMED_H

#include "data/source.h"

typedef struct qs_named_set {
    const char *name;              /* "fashion-mnist"; also the folder's name */
    const char *provider;          /* what to do where it is absent */
    const char *const *class_name; /* or NULL */
    size_t classes;
} qs_named_set;

/* "NAME", "NAME:train" or "NAME:test", and anything else after "NAME:", which open refuses. */
bool qs_named_match(const qs_named_set *set, const char *spec);

/* Errors: QS_E_MISSING with the folders that were looked into and the provider. */
qs_status qs_named_open(const qs_named_set *set, const char *spec, qs_store *store, qs_parts *out,
                        qs_error *err);

/* Which part a spec "NAME[:PART]" asks for. Errors: QS_E_ARG. */
qs_status qs_named_part(const char *name, const char *spec, bool *test, qs_error *err);

#endif
