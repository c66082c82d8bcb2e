/* SPDX-License-Identifier: MIT */
/* number.h - numbers in text, whatever the locale. Private. */
#ifndef QS_BASE_NUMBER_H
#define QS_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The whole of text[0..n) must be one number; false otherwise ("", "1x", "1e999" overflow). inf and
 * nan are read. */
bool qs_number_parse(const char *text, size_t n, double *out);
bool qs_integer_parse(const char *text, size_t n, int64_t *out);

/* Shortest decimal that reads back as the same double ("0.1"); returns text. */
enum { QS_NUMBER_TEXT = 32 };
const char *qs_number_text(double x, char text[QS_NUMBER_TEXT]);

#endif
