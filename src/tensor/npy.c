/* SPDX-License-Identifier: MIT */
/* npy.c - reads and writes the header of .npy: a magic, a length, a Python dict. */
#include "tensor/npy.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MAGIC = 6, PREFIX_1 = 10, PREFIX_2 = 12, ALIGN = 64, MOST_HEADER = 1 << 16 };

static const struct {
    const char *descr; /* after the byte order */
    qs_dtype dtype;
} types[] = {
    {"f4", QS_F32}, {"f8", QS_F64}, {"u1", QS_U8},  {"i1", QS_I8},  {"i2", QS_I16},
    {"u2", QS_U16}, {"i4", QS_I32}, {"u4", QS_U32}, {"i8", QS_I64},
};

/* What is left of a header: text [at, end). */
typedef struct cursor {
    const char *at, *end;
} cursor;

static void skip(cursor *c, const char *these)
{
    while (c->at < c->end && *c->at && strchr(these, *c->at))
        c->at++;
}

static bool take(cursor *c, const char *word)
{
    const size_t n = strlen(word);
    skip(c, " ");
    if ((size_t)(c->end - c->at) < n || memcmp(c->at, word, n))
        return false;
    c->at += n;
    return true;
}

/* A quoted word without escapes, cut to fit. */
static bool quoted(cursor *c, char word[32])
{
    skip(c, " ");
    const char quote = c->at < c->end ? *c->at : 0;
    if (quote != '\'' && quote != '"')
        return false;
    const char *start = ++c->at;
    while (c->at < c->end && *c->at != quote)
        c->at++;
    if (c->at == c->end || c->at - start >= 32)
        return false;
    memcpy(word, start, (size_t)(c->at - start));
    word[c->at - start] = 0;
    c->at++;
    return true;
}

static bool read_axes(cursor *c, qs_array *out)
{
    if (!take(c, "("))
        return false;
    out->rank = 0;
    for (;;) {
        skip(c, " ,");
        if (take(c, ")"))
            return true;
        uint64_t axis = 0;
        const char *start = c->at;
        for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
            if (axis > SIZE_MAX / 16)
                return false;
            axis = axis * 10 + (uint64_t)(*c->at - '0');
        }
        if (c->at == start || out->rank == QS_MAX_RANK)
            return false;
        take(c, "L"); /* as Python 2 wrote them */
        out->dim[out->rank++] = (size_t)axis;
    }
}

static qs_status read_type(const char *descr, qs_array *out, qs_error *err)
{
    const char order = *descr;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (*descr && !strcmp(descr + 1, types[i].descr) &&
            (order == '<' || order == '=' ||
             (order == '|' && qs_dtype_bytes(types[i].dtype) == 1))) {
            out->dtype = types[i].dtype;
            return QS_OK;
        }
    if (!strcmp(descr, "|b1")) { /* booleans are bytes 0 and 1 */
        out->dtype = QS_U8;
        return QS_OK;
    }
    return qs_fail(err, QS_E_UNSUPPORTED,
                   "elements of type '%s' cannot be read, only little-endian floats and integers",
                   descr);
}

static qs_status read_entry(cursor *c, qs_array *out, bool *fortran, unsigned *seen, qs_error *err)
{
    char key[32], descr[32];
    if (!quoted(c, key) || !take(c, ":"))
        return qs_fail(err, QS_E_FORMAT, "malformed .npy header");
    if (!strcmp(key, "descr")) {
        *seen |= 1;
        if (!quoted(c, descr))
            return qs_fail(err, QS_E_UNSUPPORTED, "records cannot be read, only plain numbers");
        return read_type(descr, out, err);
    }
    if (!strcmp(key, "fortran_order")) {
        *seen |= 2;
        *fortran = take(c, "True");
        if (*fortran || take(c, "False"))
            return QS_OK;
    }
    if (!strcmp(key, "shape")) {
        *seen |= 4;
        if (read_axes(c, out))
            return QS_OK;
    }
    return qs_fail(err, QS_E_FORMAT, "malformed '%s' in the .npy header (at most %d axes)", key,
                   QS_MAX_RANK);
}

static qs_status read_dict(cursor c, qs_array *out, bool *fortran, qs_error *err)
{
    unsigned seen = 0;
    if (!take(&c, "{"))
        return qs_fail(err, QS_E_FORMAT, "malformed .npy header");
    for (;;) {
        skip(&c, " ,");
        if (take(&c, "}"))
            break;
        QS_TRY(read_entry(&c, out, fortran, &seen, err));
    }
    if (seen != 7)
        return qs_fail(err, QS_E_FORMAT, "the .npy header lacks descr, fortran_order or shape");
    return QS_OK;
}

static size_t count(const qs_array *array)
{
    qs_shape shape = {.rank = array->rank};
    memcpy(shape.dim, array->dim, sizeof shape.dim);
    return qs_shape_count(&shape);
}

/* Where the dict is; false where the file is too short. */
static bool find_dict(const unsigned char *bytes, size_t n, size_t *start, size_t *length)
{
    if (n < PREFIX_2)
        return false;
    const bool old = bytes[MAGIC] == 1;
    *start = old ? PREFIX_1 : PREFIX_2;
    *length = bytes[8] | (size_t)bytes[9] << 8;
    if (!old)
        *length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    return *length <= n - *start && *length <= MOST_HEADER;
}

qs_status qs_npy_parse(const unsigned char *bytes, size_t n, qs_array *out, bool *fortran,
                       qs_error *err)
{
    size_t start, length;
    if (n < MAGIC || memcmp(bytes, "\x93NUMPY", MAGIC))
        return qs_fail(err, QS_E_FORMAT, "not a .npy array: it does not begin with its mark");
    if (!find_dict(bytes, n, &start, &length))
        return qs_fail(err, QS_E_FORMAT, "the .npy header is cut off");

    qs_array array = {0};
    bool swapped = false;
    const char *text = (const char *)bytes + start;
    QS_TRY(read_dict((cursor){text, text + length}, &array, &swapped, err));
    const size_t elements = count(&array), have = n - start - length;
    const size_t size = qs_dtype_bytes(array.dtype);
    if (elements > have / size)
        return qs_fail(err, QS_E_FORMAT,
                       "the array needs %zu elements of %zu bytes, the file has %zu bytes",
                       elements, size, have);
    array.data = bytes + start + length;
    *out = array;
    *fortran = swapped;
    return QS_OK;
}

size_t qs_npy_header(qs_dtype dtype, const qs_shape *shape, unsigned char out[QS_NPY_HEADER])
{
    const char *descr = "f4";
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].dtype == dtype)
            descr = types[i].descr;
    char text[QS_NPY_HEADER];
    int at = snprintf(text, sizeof text, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                      qs_dtype_bytes(dtype) == 1 ? '|' : '<', descr);
    for (int i = 0; i < shape->rank; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%zu%s", shape->dim[i],
                       shape->rank == 1      ? ","
                       : i + 1 < shape->rank ? ", "
                                             : "");
    at += snprintf(text + at, sizeof text - (size_t)at, "), }");

    const size_t total = ((size_t)at + PREFIX_1 + 1 + ALIGN - 1) / ALIGN * ALIGN;
    const size_t length = total - PREFIX_1;
    memcpy(out, "\x93NUMPY\1\0", 8);
    out[8] = (unsigned char)(length & 255);
    out[9] = (unsigned char)(length >> 8);
    memset(out + PREFIX_1, ' ', length);
    memcpy(out + PREFIX_1, text, (size_t)at);
    out[total - 1] = '\n';
    return total;
}
