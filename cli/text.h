/* SPDX-License-Identifier: MIT */
/* text.h - numbers and shapes as people read and write them. */
#ifndef QS_CLI_TEXT_H
#define QS_CLI_TEXT_H

#include <stddef.h>
#include <stdint.h>

enum { TEXT_BYTES = 64 };

/* The whole of text must be one number; 0 otherwise. */
int number_parse(const char *text, double *out);
int integer_parse(const char *text, int64_t *out);

/* All of these fill text[TEXT_BYTES] and return it. */
const char *text_count(uint64_t n, char *text);                  /* "712,010" */
const char *text_bytes(double bytes, char *text);                /* "2.8 MB" */
const char *text_seconds(double seconds, char *text);            /* "41 s", "3:07 min" */
const char *text_shape(const size_t *dim, int rank, char *text); /* "28x28x1" */
const char *text_ending(const char *path);                       /* ".npz"; "" where none */

#endif
