/* SPDX-License-Identifier: MIT */
/* pack.c - named arrays and one text in one block of bytes, with a checksum. */
#include "train/pack.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"

enum { LENGTH_BYTES = 8, ALIGN = 64, CRC_TEXT = 16 };

static const char *dtype_text(qs_dtype dtype)
{
    return dtype == QS_F64 ? "F64" : "F32";
}

static size_t dtype_size(qs_dtype dtype)
{
    return dtype == QS_F64 ? sizeof(double) : sizeof(float);
}

static size_t item_bytes(const qs_pack_item *item)
{
    return qs_shape_count(&item->shape) * dtype_size(item->dtype);
}

static uLong crc_add(uLong crc, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    while (n) {
        const size_t part = n < (1u << 30) ? n : (1u << 30);
        crc = crc32(crc, p, (uInt)part);
        p += part;
        n -= part;
    }
    return crc;
}

static json_t *describe(const qs_pack_item *item, size_t at)
{
    json_t *shape = json_array();
    for (int i = 0; i < item->shape.rank; i++)
        if (json_array_append_new(shape, json_integer((json_int_t)item->shape.dim[i]))) {
            json_decref(shape);
            return NULL;
        }
    const size_t end = at + item_bytes(item);
    return json_pack("{s:s, s:o, s:[I, I]}", "dtype", dtype_text(item->dtype), "shape", shape,
                     "data_offsets", (json_int_t)at, (json_int_t)end);
}

/* The header as an object, NULL when memory runs out; *total becomes the bytes of all arrays. */
static json_t *header_make(const qs_pack_item *item, size_t items, const char *text, size_t *total)
{
    char crc_text[CRC_TEXT];
    uLong crc = crc_add(crc32(0, NULL, 0), text, strlen(text));
    for (size_t i = 0; i < items; i++)
        crc = crc_add(crc, item[i].data, item_bytes(&item[i]));
    snprintf(crc_text, sizeof crc_text, "%08lx", crc);

    json_t *header = json_pack("{s:{s:s, s:s}}", "__metadata__", "text", text, "crc32", crc_text);
    *total = 0;
    for (size_t i = 0; header && i < items; i++) {
        if (json_object_set_new(header, item[i].name, describe(&item[i], *total))) {
            json_decref(header);
            return NULL;
        }
        *total += item_bytes(&item[i]);
    }
    return header;
}

static void put_length(unsigned char *at, uint64_t length)
{
    for (int i = 0; i < LENGTH_BYTES; i++)
        at[i] = (unsigned char)(length >> (8 * i));
}

static uint64_t get_length(const unsigned char *at)
{
    uint64_t length = 0;
    for (int i = 0; i < LENGTH_BYTES; i++)
        length |= (uint64_t)at[i] << (8 * i);
    return length;
}

qs_status qs_pack_write(const qs_pack_item *item, size_t items, const char *text,
                        unsigned char **bytes, size_t *n, qs_error *err)
{
    size_t total = 0;
    json_t *header = header_make(item, items, text, &total);
    const size_t length = header ? json_dumpb(header, NULL, 0, JSON_COMPACT) : 0;
    const size_t start = (LENGTH_BYTES + length + ALIGN - 1) / ALIGN * ALIGN;
    unsigned char *block = length ? qs_malloc(start + total) : NULL;
    char *head = block ? (char *)block + LENGTH_BYTES : NULL;
    const bool written = head && json_dumpb(header, head, length, JSON_COMPACT) == length;
    json_decref(header);
    if (!written) {
        qs_free(block);
        return qs_fail_memory(err, (double)(start + total), "a checkpoint");
    }
    put_length(block, start - LENGTH_BYTES);
    memset(head + length, ' ', start - LENGTH_BYTES - length);

    unsigned char *at = block + start;
    for (size_t i = 0; i < items; i++) {
        const size_t size = item_bytes(&item[i]);
        if (size)
            memcpy(at, item[i].data, size);
        at += size;
    }
    *bytes = block;
    *n = start + total;
    return QS_OK;
}

static qs_status check_crc(const qs_pack *pack, qs_error *err)
{
    const json_t *meta = json_object_get(pack->header, "__metadata__");
    const char *wanted = json_string_value(json_object_get(meta, "crc32"));
    char found[CRC_TEXT];
    uLong crc = crc_add(crc32(0, NULL, 0), pack->text, strlen(pack->text));
    snprintf(found, sizeof found, "%08lx", crc_add(crc, pack->data, pack->bytes));
    if (!wanted || strcmp(wanted, found))
        return qs_fail(err, QS_E_FORMAT, "the checksum is %s where %s is written: it is damaged",
                       found, wanted ? wanted : "none");
    return QS_OK;
}

qs_status qs_pack_read(const unsigned char *bytes, size_t n, qs_pack *out, qs_error *err)
{
    if (n < LENGTH_BYTES || get_length(bytes) > n - LENGTH_BYTES)
        return qs_fail(err, QS_E_FORMAT, "%zu bytes are too few for the header: it is cut short",
                       n);
    const size_t length = (size_t)get_length(bytes);
    json_error_t where;
    qs_pack pack = {.data = bytes + LENGTH_BYTES + length, .bytes = n - LENGTH_BYTES - length};
    pack.header = json_loadb((const char *)bytes + LENGTH_BYTES, length, 0, &where);
    if (!pack.header)
        return qs_fail(err, QS_E_FORMAT, "the header is not JSON at byte %d: %s",
                       LENGTH_BYTES + where.position, where.text);
    const json_t *meta = json_object_get(pack.header, "__metadata__");
    pack.text = json_string_value(json_object_get(meta, "text"));
    qs_status status = pack.text ? check_crc(&pack, err)
                                 : qs_fail(err, QS_E_FORMAT, "the header has no text of a run");
    if (status == QS_OK)
        *out = pack;
    else
        json_decref(pack.header);
    return status;
}

/* Where an array lies; false where it is not there, of another type, or outside the block. */
static bool locate(const qs_pack *pack, const char *name, qs_dtype dtype, size_t *at, size_t *size)
{
    const json_t *item = json_object_get(pack->header, name);
    const char *type = json_string_value(json_object_get(item, "dtype"));
    const json_t *offsets = json_object_get(item, "data_offsets");
    const json_int_t first = json_integer_value(json_array_get(offsets, 0));
    const json_int_t last = json_integer_value(json_array_get(offsets, 1));
    if (!type || strcmp(type, dtype_text(dtype)) || first < 0 || last < first ||
        (uint64_t)last > pack->bytes || (size_t)first % dtype_size(dtype))
        return false;
    *at = (size_t)first;
    *size = (size_t)(last - first);
    return true;
}

const void *qs_pack_find(const qs_pack *pack, const char *name, qs_dtype dtype, size_t count)
{
    size_t at, size;
    if (!locate(pack, name, dtype, &at, &size) || size % dtype_size(dtype) ||
        size / dtype_size(dtype) != count)
        return NULL;
    return pack->data + at;
}

size_t qs_pack_count(const qs_pack *pack, const char *name, qs_dtype dtype)
{
    size_t at, size;
    return locate(pack, name, dtype, &at, &size) ? size / dtype_size(dtype) : 0;
}

void qs_pack_close(qs_pack *pack)
{
    json_decref(pack->header);
    *pack = (qs_pack){0};
}
