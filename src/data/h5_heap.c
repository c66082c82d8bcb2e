/* SPDX-License-Identifier: MIT */
/* h5_heap.c - looks over a file's local heaps, which hold the names in its groups.
 *
 * A heap is "HEAP", version 0 and three zeros, bytes of its data [8], the first free one [8], where
 * the data are [8].
 */
#include "data/h5_heap.h"

#include <stdint.h>
#include <string.h>

enum { HEAD = 32 };

static uint64_t little(const unsigned char *bytes)
{
    uint64_t x = 0;
    for (int i = 8; i-- > 0;)
        x = x << 8 | bytes[i];
    return x;
}

qs_status qs_h5_heaps_check(const unsigned char *bytes, size_t n, qs_error *err)
{
    static const unsigned char mark[] = {'H', 'E', 'A', 'P', 0, 0, 0, 0};
    const unsigned char *at = bytes, *const end = bytes + n;
    while ((at = memmem(at, (size_t)(end - at), mark, sizeof mark)) != NULL) {
        const size_t left = (size_t)(end - at);
        const uint64_t size = left >= HEAD ? little(at + 8) : 0;
        const uint64_t place = left >= HEAD ? little(at + 24) : 0;
        if (size == 0 || size > n || place > n - size)
            return qs_fail(err, QS_E_FORMAT, "damaged HDF5 file: the heap of names at byte %zu",
                           n - left);
        at += sizeof mark;
    }
    return QS_OK;
}
