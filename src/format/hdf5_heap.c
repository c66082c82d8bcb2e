/* SPDX-License-Identifier: MIT */
/* hdf5_heap.c - looks at texts of variable length before libhdf5 follows them.
 *
 * libhdf5 trusts the numbers that lead from an attribute to its text in a "global heap": damaged ones
 * make it read outside its memory or loop for ever. So each attribute that will be read is found in
 * the file's bytes by its name, and the way to its text is walked here first.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "format/hdf5_file.h"

enum { HEADER = 16, REFERENCE = 16, VARIABLE_LENGTH = 9, MOST_COUNT = 1 << 20 };

typedef struct image {
    const unsigned char *bytes;
    size_t n;
} image;

static uint64_t number(const unsigned char *at, int bytes)
{
    uint64_t x = 0;
    for (int i = 0; i < bytes; i++)
        x |= (uint64_t)at[i] << (8 * i);
    return x;
}

static size_t pad8(size_t n)
{
    return (n + 7) / 8 * 8;
}

/* Whether the collection at [at, end) has object `index` of `length` bytes, no more and no less: all
 * of an object is copied into memory for the text. Every object is walked, as libhdf5 will. */
static bool heap_holds(const image *file, size_t at, size_t end, uint64_t index, uint64_t length)
{
    bool found = false;
    while (end - at >= HEADER) {
        const uint64_t id = number(file->bytes + at, 2), size = number(file->bytes + at + 8, 8);
        const size_t left = end - at;
        const size_t step = id ? HEADER + pad8(size < left ? (size_t)size : left)
                               : (size_t)(size <= left ? size : left + 1);
        if (step < HEADER || step > left)
            return false;
        if (id && id == index)
            found = size == length;
        at += step;
    }
    return found;
}

/* A reference: length u32, address of the collection u64, index u32. */
static bool reference_holds(const image *file, const unsigned char *reference)
{
    const uint64_t length = number(reference, 4), address = number(reference + 4, 8);
    const uint64_t index = number(reference + 12, 4);
    if (!length)
        return true;
    if (address > file->n || file->n - address < HEADER ||
        memcmp(file->bytes + address, "GCOL\1", 5) != 0)
        return false;
    const uint64_t size = number(file->bytes + address + 8, 8);
    return size >= HEADER && size <= file->n - address &&
           heap_holds(file, (size_t)address + HEADER, (size_t)(address + size), index, length);
}

/* Elements of a dataspace message [at, at + n). */
static bool count_of(const unsigned char *at, size_t n, uint64_t *count)
{
    if (n < 4 || (at[0] != 1 && at[0] != 2))
        return false;
    const size_t rank = at[1], start = at[0] == 1 ? 8 : 4;
    if (start + 8 * rank > n)
        return false;
    *count = 1;
    for (size_t i = 0; i < rank; i++) {
        const uint64_t axis = number(at + start + 8 * i, 8);
        if (axis > MOST_COUNT)
            return false;
        *count *= axis;
        if (*count > MOST_COUNT)
            return false;
    }
    return true;
}

/* Parts of an attribute message, whose name is at `at`. */
typedef struct message {
    size_t type, space, data; /* where they begin */
    size_t type_n, space_n;
} message;

/* Versions 1 and 2 have eight bytes before the name, version 3 nine; 1 pads its parts. */
static bool find_message(const image *file, size_t at, int version, message *out)
{
    const size_t before = version == 3 ? 9 : 8, sizes = version == 3 ? 7 : 6;
    if (at < before || file->bytes[at - before] != version)
        return false;
    const size_t name_n = number(file->bytes + at - sizes, 2);
    out->type_n = number(file->bytes + at - sizes + 2, 2);
    out->space_n = number(file->bytes + at - sizes + 4, 2);
    const bool padded = version == 1;
    out->type = at + (padded ? pad8(name_n) : name_n);
    out->space = out->type + (padded ? pad8(out->type_n) : out->type_n);
    out->data = out->space + (padded ? pad8(out->space_n) : out->space_n);
    return name_n && out->type_n && out->data <= file->n && file->bytes[at + name_n - 1] == 0;
}

/* A text of variable length: references of 16 bytes to elements of one. */
static bool type_holds(const unsigned char *type, size_t n)
{
    return n >= 16 && number(type + 4, 4) == REFERENCE && number(type + 12, 4) == 1;
}

static bool message_holds(const image *file, const message *found)
{
    uint64_t count;
    if ((file->bytes[found->type] & 15) != VARIABLE_LENGTH)
        return true;
    if (!type_holds(file->bytes + found->type, found->type_n) ||
        !count_of(file->bytes + found->space, found->space_n, &count) ||
        count > (file->n - found->data) / REFERENCE)
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (!reference_holds(file, file->bytes + found->data + i * REFERENCE))
            return false;
    return true;
}

/* Every attribute of this name, or whose name begins so. */
static bool attributes_hold(const image *file, const char *name)
{
    const unsigned char *at = file->bytes;
    for (;;) {
        at = memmem(at, file->n - (size_t)(at - file->bytes), name, strlen(name));
        if (!at)
            return true;
        for (int version = 1; version <= 3; version++) {
            message found;
            if (find_message(file, (size_t)(at - file->bytes), version, &found) &&
                !message_holds(file, &found))
                return false;
        }
        at++;
    }
}

/* Offsets and lengths of eight bytes from the start of the file, as every common writer has them. */
static bool common_layout(const image *file)
{
    static const struct {
        int sizes, base;
    } place[] = {{13, 24}, {13, 28}, {9, 12}, {9, 12}};
    const int version = file->n >= 64 ? file->bytes[8] : 4;
    return version < 4 && file->bytes[place[version].sizes] == 8 &&
           file->bytes[place[version].sizes + 1] == 8 &&
           number(file->bytes + place[version].base, 8) == 0;
}

qs_status qs_hdf5_heaps_check(const unsigned char *bytes, size_t n, qs_error *err)
{
    static const char *const names[] = {"model_config", "training_config", "layer_names",
                                        "weight_names", "keras_version"};
    const image file = {bytes, n};
    if (!common_layout(&file))
        return qs_fail(err, QS_E_FORMAT, "malformed HDF5 file of %zu bytes: a damaged superblock",
                       n);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!attributes_hold(&file, names[i]))
            return qs_fail(err, QS_E_FORMAT,
                           "malformed HDF5 file: the attribute %s leads to no text", names[i]);
    return QS_OK;
}
