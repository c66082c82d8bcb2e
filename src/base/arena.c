/* SPDX-License-Identifier: MIT */
/* arena.c - a chain of blocks, freed together. */
#include "base/arena.h"

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"

enum { ALIGN = 64, DEFAULT_BLOCK = 64 * 1024 };

struct qs_block {
    struct qs_block *next;
    size_t used, bytes; /* of what follows the header */
    _Alignas(ALIGN) unsigned char data[];
};

static struct qs_block *grow(qs_arena *arena, size_t need)
{
    size_t bytes = arena->block_bytes ? arena->block_bytes : DEFAULT_BLOCK;
    if (bytes < need)
        bytes = need;
    if (bytes > SIZE_MAX - sizeof(struct qs_block))
        return NULL;

    struct qs_block *block = qs_calloc(1, sizeof *block + bytes);
    if (!block)
        return NULL;
    block->next = arena->blocks;
    block->bytes = bytes;
    arena->blocks = block;
    return block;
}

void *qs_arena_alloc(qs_arena *arena, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX - ALIGN) / size)
        return NULL;
    const size_t need = (count * size + ALIGN - 1) / ALIGN * ALIGN;

    struct qs_block *block = arena->blocks;
    if (!block || block->bytes - block->used < need)
        block = grow(arena, need);
    if (!block)
        return NULL;

    void *at = block->data + block->used;
    block->used += need;
    return at;
}

char *qs_arena_text(qs_arena *arena, const char *text)
{
    const size_t bytes = strlen(text) + 1;
    char *copy = qs_arena_alloc(arena, bytes, 1);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

void qs_arena_free(qs_arena *arena)
{
    while (arena->blocks) {
        struct qs_block *next = arena->blocks->next;
        qs_free(arena->blocks);
        arena->blocks = next;
    }
}
