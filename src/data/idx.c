/* SPDX-License-Identifier: MIT */
/* idx.c - reads IDX. */
#include "data/idx.h"

#include <string.h>

#include "tensor/shape.h"

enum { HEADER = 4 };

static size_t big_endian(const unsigned char *p)
{
    return (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
}

static bool type_of(unsigned char code, qs_dtype *out)
{
    static const struct {
        unsigned char code;
        qs_dtype dtype;
    } types[] = {{0x08, QS_U8},  {0x09, QS_I8},  {0x0b, QS_I16},
                 {0x0c, QS_I32}, {0x0d, QS_F32}, {0x0e, QS_F64}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].code == code) {
            *out = types[i].dtype;
            return true;
        }
    return false;
}

static qs_status read_header(const unsigned char *bytes, size_t n, qs_array *out, qs_error *err)
{
    if (n < HEADER || bytes[0] || bytes[1])
        return qs_fail(err, QS_E_FORMAT, "not an IDX file: it must begin with two zero bytes");
    if (!type_of(bytes[2], &out->dtype))
        return qs_fail(err, QS_E_FORMAT, "0x%02x is no IDX element type", bytes[2]);
    out->rank = bytes[3];
    if (out->rank < 1 || out->rank > QS_MAX_RANK)
        return qs_fail(err, QS_E_FORMAT, "an IDX file of %d axes; 1 to %d can be read", out->rank,
                       QS_MAX_RANK);
    if (n < HEADER + 4 * (size_t)out->rank)
        return qs_fail(err, QS_E_FORMAT, "the IDX header is cut off after %zu bytes", n);
    for (int i = 0; i < out->rank; i++)
        out->dim[i] = big_endian(bytes + HEADER + 4 * (size_t)i);
    return QS_OK;
}

static void swap(const unsigned char *from, size_t count, size_t size, unsigned char *to)
{
    for (size_t i = 0; i < count; i++)
        for (size_t b = 0; b < size; b++)
            to[i * size + b] = from[i * size + size - 1 - b];
}

qs_status qs_idx_parse(const unsigned char *bytes, size_t n, qs_store *store, qs_array *out,
                       qs_error *err)
{
    qs_array array = {0};
    QS_TRY(read_header(bytes, n, &array, err));
    qs_shape shape = {.rank = array.rank};
    memcpy(shape.dim, array.dim, sizeof shape.dim);
    const size_t header = HEADER + 4 * (size_t)array.rank, have = n - header;
    const size_t count = qs_shape_count(&shape), size = qs_dtype_bytes(array.dtype);
    char text[QS_SHAPE_TEXT];
    if (count != have / size || have % size)
        return qs_fail(err, QS_E_FORMAT,
                       "the header says %s elements of %zu bytes, but %zu bytes follow it; is the "
                       "file complete?",
                       qs_shape_text(&shape, text), size, have);
    array.data = bytes + header;
    if (size > 1) {
        void *block;
        QS_TRY(qs_store_block(store, count, size, "an IDX file", &block, err));
        swap(bytes + header, count, size, block);
        array.data = block;
    }
    *out = array;
    return QS_OK;
}

static qs_status read_one(const char *path, qs_store *store, qs_array *out, qs_error *err)
{
    const unsigned char *bytes;
    size_t n;
    QS_TRY(qs_store_read(store, path, &bytes, &n, err));
    return qs_context(err, qs_idx_parse(bytes, n, store, out, err), "%s", path);
}

qs_status qs_idx_open(const char *images, const char *labels, qs_store *store, qs_parts *out,
                      qs_error *err)
{
    QS_TRY(read_one(images, store, &out->x, err));
    if (labels)
        QS_TRY(read_one(labels, store, &out->y, err));
    return QS_OK;
}
