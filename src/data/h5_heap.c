/* SPDX-License-Identifier: MIT */
/* h5_heap.c - looks over a file's start and its local heaps, which hold the names in its groups.
 *
 * A file that begins with the mark of HDF5 has its addresses counted from there: its base is 0.
 *
 * A heap is "HEAP", version 0 and three zeros, bytes of its data [8], the first free piece [8], where
 * the data are [8]. A free piece is where the next one is [8] and its size [8]; 1 ends the list.
 */
#include "data/h5_heap.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { HEAD = 32, PIECE = 16, END_OF_LIST = 1 };

static uint64_t little(const unsigned char *bytes)
{
    uint64_t x = 0;
    for (int i = 8; i-- > 0;)
        x = x << 8 | bytes[i];
    return x;
}

/* libhdf5 would follow a list that bites its tail for ever. */
static bool list_ends(const unsigned char *data, uint64_t size, uint64_t piece)
{
    for (uint64_t steps = 0; piece != END_OF_LIST; steps++) {
        if (size < PIECE || piece > size - PIECE || steps > size / PIECE)
            return false;
        piece = little(data + piece);
    }
    return true;
}

/* `heap` with `left` bytes up to the end of the file. */
static bool heap_fits(const unsigned char *bytes, size_t n, const unsigned char *heap, size_t left)
{
    const uint64_t size = left >= HEAD ? little(heap + 8) : 0;
    const uint64_t place = left >= HEAD ? little(heap + 24) : 0;
    return size > 0 && size <= n && place <= n - size &&
           list_ends(bytes + place, size, little(heap + 16));
}

static bool base_is_zero(const unsigned char *bytes, size_t n)
{
    static const unsigned char base_at[] = {24, 28, 12, 12}; /* by version */
    if (n < 48 || memcmp(bytes, "\x89HDF\r\n\x1a\n", 8) != 0)
        return true;
    return bytes[8] < sizeof base_at && little(bytes + base_at[bytes[8]]) == 0;
}

qs_status qs_h5_heaps_check(const unsigned char *bytes, size_t n, qs_error *err)
{
    static const unsigned char mark[] = {'H', 'E', 'A', 'P', 0, 0, 0, 0};
    if (!base_is_zero(bytes, n))
        return qs_fail(err, QS_E_FORMAT, "damaged HDF5 file: its addresses begin outside it");
    const unsigned char *at = bytes, *const end = bytes + n;
    while ((at = memmem(at, (size_t)(end - at), mark, sizeof mark)) != NULL) {
        const size_t left = (size_t)(end - at);
        if (!heap_fits(bytes, n, at, left))
            return qs_fail(err, QS_E_FORMAT, "damaged HDF5 file: the heap of names at byte %zu",
                           n - left);
        at += sizeof mark;
    }
    return QS_OK;
}
