/* SPDX-License-Identifier: MIT */
/* alloc.c - counts and, when a test asks, refuses. */
#include "base/alloc.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { ALIGN = 64, LARGE = 1 << 24, RESERVE = 1 << 18 };

static atomic_size_t calls, total, live, refuse_at;
static _Thread_local size_t refusals, refused_bytes;

static bool refused(size_t bytes)
{
    const size_t nth = atomic_fetch_add(&calls, 1) + 1;
    atomic_fetch_add(&total, bytes);
    return nth == atomic_load(&refuse_at) || (bytes >= LARGE && bytes > qs_memory_free());
}

static void *refuse(size_t bytes)
{
    refusals++;
    refused_bytes = bytes;
    return NULL;
}

static void *counted(void *p, size_t bytes)
{
    if (!p)
        return refuse(bytes);
    atomic_fetch_add(&live, 1);
    return p;
}

void *qs_calloc(size_t count, size_t size)
{
    if (size && count > (SIZE_MAX - ALIGN) / size)
        return refuse(SIZE_MAX);
    const size_t bytes = (count * size + ALIGN - 1) / ALIGN * ALIGN;
    if (refused(bytes))
        return refuse(bytes);
    void *p = counted(aligned_alloc(ALIGN, bytes ? bytes : ALIGN), bytes);
    return p ? memset(p, 0, bytes) : NULL;
}

void *qs_malloc(size_t bytes)
{
    return refused(bytes) ? refuse(bytes) : counted(malloc(bytes ? bytes : 1), bytes);
}

void *qs_realloc(void *p, size_t bytes)
{
    if (!p)
        return qs_malloc(bytes);
    void *bigger = refused(bytes) ? NULL : realloc(p, bytes ? bytes : 1);
    return bigger ? bigger : refuse(bytes);
}

char *qs_strndup(const char *text, size_t n)
{
    char *copy = qs_malloc(n + 1);
    if (copy) {
        memcpy(copy, text, n);
        copy[n] = 0;
    }
    return copy;
}

char *qs_strdup(const char *text)
{
    return text ? qs_strndup(text, strlen(text)) : NULL;
}

char *qs_format(const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, fmt, args);
    char *text = n >= 0 ? qs_malloc((size_t)n + 1) : NULL;
    if (text)
        vsnprintf(text, (size_t)n + 1, fmt, again);
    va_end(again);
    va_end(args);
    return text;
}

/* ---- the reserve: all of it is free again when the last block is ---- */

static struct {
    pthread_mutex_t lock;
    size_t blocks, used;
    _Alignas(ALIGN) unsigned char bytes[RESERVE];
} reserve = {.lock = PTHREAD_MUTEX_INITIALIZER};

void *qs_malloc_reserved(size_t bytes)
{
    void *p = qs_malloc(bytes);
    if (p || bytes > RESERVE - ALIGN)
        return p;
    const size_t need = (bytes + ALIGN) / ALIGN * ALIGN;
    pthread_mutex_lock(&reserve.lock);
    if (need <= RESERVE - reserve.used) {
        p = reserve.bytes + reserve.used;
        reserve.used += need;
        reserve.blocks++;
    }
    pthread_mutex_unlock(&reserve.lock);
    atomic_fetch_add(&live, p != NULL);
    return p;
}

static bool gave_back(void *p)
{
    const uintptr_t at = (uintptr_t)p, first = (uintptr_t)reserve.bytes;
    if (at < first || at >= first + RESERVE)
        return false;
    pthread_mutex_lock(&reserve.lock);
    if (--reserve.blocks == 0)
        reserve.used = 0;
    pthread_mutex_unlock(&reserve.lock);
    return true;
}

void qs_free(void *p)
{
    atomic_fetch_sub(&live, p != NULL);
    if (!gave_back(p))
        free(p);
}

size_t qs_alloc_refusals(void)
{
    return refusals;
}

size_t qs_alloc_refused_bytes(void)
{
    return refused_bytes;
}

size_t qs_alloc_calls(void)
{
    return atomic_load(&calls);
}

size_t qs_alloc_bytes(void)
{
    return atomic_load(&total);
}

size_t qs_alloc_live(void)
{
    return atomic_load(&live);
}

void qs_alloc_refuse_nth(size_t nth)
{
    atomic_store(&refuse_at, nth ? atomic_load(&calls) + nth : 0);
}
