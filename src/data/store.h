/* SPDX-License-Identifier: MIT */
/* store.h - what an open set owns: small things, blocks and mapped files, released at once.
 * Private. */
#ifndef QS_DATA_STORE_H
#define QS_DATA_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/fail.h"

enum { QS_STORE_HELD = 16 };

typedef struct qs_store {
    qs_arena arena;
    struct {
        const void *p;
        size_t mapped; /* bytes; 0: a block of base/alloc.h */
    } held[QS_STORE_HELD];
    size_t count;
    size_t mapped; /* bytes in all that are used where the file is */
} qs_store;        /* {0} is a valid, empty store */

/* Map a file for as long as the store lives. Errors: as qs_file_map. */
qs_status qs_store_map(qs_store *store, const char *path, const unsigned char **bytes, size_t *n,
                       qs_error *err);

/* The file's content; gzip is unpacked, anything else mapped. Errors: QS_E_MISSING, QS_E_FORMAT. */
qs_status qs_store_read(qs_store *store, const char *path, const unsigned char **bytes, size_t *n,
                        qs_error *err);

/* A zeroed block; `what` names it where memory runs out. */
qs_status qs_store_block(qs_store *store, size_t count, size_t size, const char *what, void **out,
                         qs_error *err);

/* Take over what qs_malloc gave, also when this fails. */
qs_status qs_store_take(qs_store *store, void *p, qs_error *err);

/* False where so much is mapped that using it in no order would wait for the disk. */
bool qs_store_fits(const qs_store *store);

/* Release a block early, or everything. */
void qs_store_drop(qs_store *store, const void *p);
void qs_store_free(qs_store *store);

#endif
