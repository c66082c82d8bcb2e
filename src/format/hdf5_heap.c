/* SPDX-License-Identifier: MIT */
/* hdf5_heap.c - look over a file's global heaps before libhdf5 follows them.
 *
 * Texts of variable length lie in global heaps. libhdf5 1.10 believes the sizes in there: an object
 * may reach past its heap, or have no size, which loops for ever; and a text's own length may be less
 * than what its object copies. Everything else that libhdf5 reads here it checks by itself.
 *
 * A heap is "GCOL", version 1, its size [8], then objects: index [2], references [2], four unused
 * bytes, size [8], data padded to 8. Object 0 is what is free; its size includes this head. A text is
 * length [4], address of the heap [8], index [4].
 */
#include <string.h>

#include "format/hdf5_file.h"

enum { HEAD = 16, LENGTHS_0 = 13, LENGTHS_2 = 9 };

static uint64_t little(const unsigned char *bytes, int n)
{
    uint64_t x = 0;
    while (n--)
        x = x << 8 | bytes[n];
    return x;
}

/* Bytes that object `at` takes in its heap, `left` being what there is; 0: it does not fit. */
static uint64_t object_bytes(const unsigned char *at, uint64_t left)
{
    const uint64_t size = little(at + 8, 8);
    if (size > left || little(at, 2) == 0)
        return size <= left && size >= HEAD ? size : 0;
    const uint64_t whole = HEAD + (size + 7) / 8 * 8;
    return whole <= left ? whole : 0;
}

/* Every object lies inside the heap, and the last one ends it. */
static bool objects_fit(const unsigned char *heap, uint64_t size)
{
    for (uint64_t at = HEAD; size - at >= HEAD;) {
        const uint64_t used = object_bytes(heap + at, size - at);
        if (!used)
            return false;
        at += used;
    }
    return true;
}

/* Size of the largest object `index`; 0: none. */
static uint64_t object_size(const unsigned char *heap, uint64_t size, uint64_t index)
{
    uint64_t largest = 0;
    for (uint64_t at = HEAD; size - at >= HEAD; at += object_bytes(heap + at, size - at))
        if (little(heap + at, 2) == index && little(heap + at + 8, 8) > largest)
            largest = little(heap + at + 8, 8);
    return largest;
}

/* The text that points to the heap with `address`, if it is one, is as long as its object; those of
 * no length point nowhere. */
static bool text_fits(const unsigned char *address, const unsigned char *heap, uint64_t size)
{
    const uint64_t length = little(address - 4, 4);
    return length == 0 || length >= object_size(heap, size, little(address + 8, 4));
}

static bool texts_fit(const unsigned char *bytes, size_t n, size_t place, uint64_t size)
{
    unsigned char address[8];
    for (int i = 0; i < 8; i++)
        address[i] = (unsigned char)((uint64_t)place >> 8 * i);
    const unsigned char *at = bytes;
    while ((at = memmem(at, n - (size_t)(at - bytes), address, 8)) != NULL) {
        const size_t before = (size_t)(at - bytes);
        if (before >= 4 && before + 12 <= n && !text_fits(at, bytes + place, size))
            return false;
        at++;
    }
    return true;
}

static bool heap_fits(const unsigned char *bytes, size_t n, size_t place)
{
    const uint64_t size = n - place >= HEAD ? little(bytes + place + 8, 8) : 0;
    return size >= HEAD && size <= n - place && objects_fit(bytes + place, size) &&
           texts_fit(bytes, n, place, size);
}

/* Addresses and lengths of 8 bytes, as every file on a 64-bit machine has. */
static bool usual_widths(const unsigned char *bytes, size_t n)
{
    if (n <= LENGTHS_0 + 1)
        return false;
    const size_t at = bytes[8] < 2 ? LENGTHS_0 : LENGTHS_2;
    return bytes[at] == 8 && bytes[at + 1] == 8;
}

qs_status qs_hdf5_heaps_check(const unsigned char *bytes, size_t n, qs_error *err)
{
    static const unsigned char mark[] = {'G', 'C', 'O', 'L', 1, 0, 0, 0};
    if (!usual_widths(bytes, n))
        return qs_fail(err, QS_E_FORMAT, "malformed HDF5 file: addresses are not of 8 bytes");
    const unsigned char *at = bytes;
    while ((at = memmem(at, n - (size_t)(at - bytes), mark, sizeof mark)) != NULL) {
        const size_t heap = (size_t)(at - bytes);
        if (!heap_fits(bytes, n, heap))
            return qs_fail(err, QS_E_FORMAT, "malformed HDF5 file: damaged heap at byte %zu", heap);
        at += sizeof mark;
    }
    return QS_OK;
}
