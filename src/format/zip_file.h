/* SPDX-License-Identifier: MIT */
/* zip_file.h - members of a zip archive, from and to memory. Private. */
#ifndef QS_FORMAT_ZIP_FILE_H
#define QS_FORMAT_ZIP_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fail.h"

typedef struct qs_zip qs_zip;

/* bytes are borrowed until close. Errors: QS_E_FORMAT. */
qs_status qs_zip_open(const unsigned char *bytes, size_t n, qs_zip **out, qs_error *err);
bool qs_zip_has(const qs_zip *zip, const char *member);
size_t qs_zip_count(const qs_zip *zip);

/* The whole member, qs_malloc'ed, with a 0 behind it. Errors: QS_E_FORMAT missing, damaged, or it
 * would grow past what deflate can do. */
qs_status qs_zip_read(const qs_zip *zip, const char *member, unsigned char **bytes, size_t *n,
                      qs_error *err);
void qs_zip_close(qs_zip *zip); /* NULL is fine */

/* An archive of uncompressed members, the same bytes for the same contents, as np.savez and Keras
 * write them. *bytes is qs_malloc'ed. */
typedef struct qs_zip_member {
    const char *name;
    const void *bytes;
    size_t n;
} qs_zip_member;
qs_status qs_zip_write(const qs_zip_member *member, size_t count, unsigned char **bytes, size_t *n,
                       qs_error *err);

#endif
