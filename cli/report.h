/* SPDX-License-Identifier: MIT */
/* report.h - how the program says things: errors, remarks, JSON values. */
#ifndef QS_CLI_REPORT_H
#define QS_CLI_REPORT_H

#include <jansson.h>

#include "quickstep/status.h"

/* Record a failure that the program found itself, and return its code. */
qs_status fail(qs_error *err, qs_status code, const char *fmt, ...) QS_PRINTF(3, 4);

/* Put "fmt: " before what is recorded, and pass the code on. */
qs_status fail_within(qs_error *err, qs_status code, const char *fmt, ...) QS_PRINTF(3, 4);

/* Add "; what to do" unless the text already says what. */
qs_status fail_advice(qs_error *err, qs_status code, const char *fmt, ...) QS_PRINTF(3, 4);

/* One line on stderr, whatever the text holds. */
void report_error(const qs_error *err);

/* A number, or null where it is not finite. */
json_t *json_number(double x);
/* A whole number. */
json_t *json_count(size_t n);
/* A text, or null for NULL; bytes that are not UTF-8 become '?'. */
json_t *json_text(const char *text);

/* Write one document and a newline to stdout. */
void report_json(const json_t *document);

/* Flush stdout. Errors  QS_E_IO  what was printed did not all get there */
qs_status report_flush(qs_error *err);

#endif
