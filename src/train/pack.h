/* SPDX-License-Identifier: MIT */
/* pack.h - named arrays and one text in one block of bytes, with a checksum. Private.
 *
 * The block is a valid .safetensors file, so that any tool can look into a checkpoint.
 */
#ifndef QS_TRAIN_PACK_H
#define QS_TRAIN_PACK_H

#include <jansson.h>

#include "base/fail.h"
#include "tensor/shape.h"

typedef struct qs_pack_item {
    const char *name;
    qs_dtype dtype; /* QS_F32 or QS_F64 */
    qs_shape shape;
    const void *data; /* borrowed */
} qs_pack_item;

/* *bytes is qs_malloc'ed. Eight-byte items first keeps all of them aligned. */
qs_status qs_pack_write(const qs_pack_item *item, size_t items, const char *text,
                        unsigned char **bytes, size_t *n, qs_error *err);

typedef struct qs_pack {
    json_t *header;
    const char *text;
    const unsigned char *data; /* borrowed from what was read */
    size_t bytes;
} qs_pack;

/* Errors: QS_E_FORMAT with the place. Release with qs_pack_close(). */
qs_status qs_pack_read(const unsigned char *bytes, size_t n, qs_pack *out, qs_error *err);

/* An array of exactly `count` elements; NULL where there is none, or it is another size or type. */
const void *qs_pack_find(const qs_pack *pack, const char *name, qs_dtype dtype, size_t count);

/* Elements of an array; 0 where there is none. */
size_t qs_pack_count(const qs_pack *pack, const char *name, qs_dtype dtype);

void qs_pack_close(qs_pack *pack);

#endif
