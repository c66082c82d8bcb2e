/* SPDX-License-Identifier: MIT */
/* arena.h - memory that is released all at once. Private. */
#ifndef QS_BASE_ARENA_H
#define QS_BASE_ARENA_H

#include <stddef.h>

typedef struct qs_arena {
    struct qs_block *blocks;
    size_t block_bytes; /* 0 means the default */
} qs_arena;             /* {0} is a valid, empty arena */

/* Zeroed storage for count * size bytes, aligned for SIMD; NULL when memory runs out or the
 * product overflows. Lives until qs_arena_free. */
void *qs_arena_alloc(qs_arena *arena, size_t count, size_t size);

/* A copy of the text; NULL when memory runs out. */
char *qs_arena_text(qs_arena *arena, const char *text);

/* Release everything; the arena is empty and usable again. Half-built arenas are fine. */
void qs_arena_free(qs_arena *arena);

#define QS_NEW(arena, type)      ((type *)qs_arena_alloc((arena), 1, sizeof(type)))
#define QS_NEW_N(arena, type, n) ((type *)qs_arena_alloc((arena), (n), sizeof(type)))

#endif
