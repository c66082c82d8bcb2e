/* SPDX-License-Identifier: MIT */
/* store.c - blocks and maps of a set, and their release. */
#include "data/store.h"

#include <stdint.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"

static void release(const void *p, size_t mapped)
{
    if (mapped)
        qs_file_unmap(p, mapped);
    else
        qs_free((void *)(uintptr_t)p);
}

static qs_status hold(qs_store *store, const void *p, size_t mapped, qs_error *err)
{
    if (store->count == QS_STORE_HELD) {
        release(p, mapped);
        return qs_fail(err, QS_E_NOMEM, "a set of samples is made of more than %d parts",
                       QS_STORE_HELD);
    }
    store->held[store->count].p = p;
    store->held[store->count++].mapped = mapped;
    store->mapped += mapped;
    return QS_OK;
}

qs_status qs_store_map(qs_store *store, const char *path, const unsigned char **bytes, size_t *n,
                       qs_error *err)
{
    const unsigned char *map;
    size_t size;
    QS_TRY(qs_file_map(path, &map, &size, err));
    if (size > 0)
        QS_TRY(hold(store, map, size, err));
    *bytes = map;
    *n = size;
    return QS_OK;
}

qs_status qs_store_read(qs_store *store, const char *path, const unsigned char **bytes, size_t *n,
                        qs_error *err)
{
    const unsigned char *map;
    unsigned char *unpacked;
    size_t size, unpacked_n;
    QS_TRY(qs_store_map(store, path, &map, &size, err));
    if (size < 2 || map[0] != 0x1f || map[1] != 0x8b) {
        *bytes = map;
        *n = size;
        return QS_OK;
    }
    const qs_status status = qs_gunzip(map, size, SIZE_MAX, &unpacked, &unpacked_n, err);
    qs_store_drop(store, map);
    if (status != QS_OK)
        return qs_context(err, status, "%s", path);
    QS_TRY(qs_store_take(store, unpacked, err));
    *bytes = unpacked;
    *n = unpacked_n;
    return QS_OK;
}

qs_status qs_store_block(qs_store *store, size_t count, size_t size, const char *what, void **out,
                         qs_error *err)
{
    void *const p = qs_calloc(count, size);
    if (!p)
        return qs_fail_memory(err, (double)count * (double)size, what);
    QS_TRY(hold(store, p, 0, err));
    *out = p;
    return QS_OK;
}

qs_status qs_store_take(qs_store *store, void *p, qs_error *err)
{
    return hold(store, p, 0, err);
}

bool qs_store_fits(const qs_store *store)
{
    const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return (double)store->mapped < memory / 2;
}

void qs_store_drop(qs_store *store, const void *p)
{
    for (size_t i = 0; i < store->count; i++)
        if (store->held[i].p == p) {
            release(p, store->held[i].mapped);
            store->mapped -= store->held[i].mapped;
            store->held[i] = store->held[--store->count];
            return;
        }
}

void qs_store_free(qs_store *store)
{
    while (store->count > 0)
        qs_store_drop(store, store->held[store->count - 1].p);
    qs_arena_free(&store->arena);
}
