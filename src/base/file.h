/* SPDX-License-Identifier: MIT */
/* file.h - whole files in and out, never half of one. Private. */
#ifndef QS_BASE_FILE_H
#define QS_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fail.h"

/* Map a file for reading; n 0 gives bytes = "" . Release with qs_file_unmap(). Errors: QS_E_MISSING
 * with the path. */
qs_status qs_file_map(const char *path, const unsigned char **bytes, size_t *n, qs_error *err);
void qs_file_unmap(const unsigned char *bytes, size_t n);

/* Write beside the target, flush to the disk, rename over it: the old file or the new one, whatever
 * happens. */
qs_status qs_file_write(const char *path, const void *bytes, size_t n, qs_error *err);

bool qs_file_exists(const char *path);
bool qs_file_is_folder(const char *path);
qs_status qs_folder_make(const char *path,
                         qs_error *err); /* with parents; one that is there is fine */

/* Inflate gzip (all members) or copy what is not gzip. *out is qs_malloc'ed. limit: refuse to grow
 * past it. */
qs_status qs_gunzip(const unsigned char *bytes, size_t n, size_t limit, unsigned char **out,
                    size_t *out_n, qs_error *err);

#endif
