/* SPDX-License-Identifier: MIT */
/* csv.h - tables in text: RFC 4180, also with ';' or tabs, with or without a header. Private. */
#ifndef QS_DATA_CSV_H
#define QS_DATA_CSV_H

#include "data/source.h"

/* A field where it lies in the text: without its quotes, doubled quotes inside still doubled. */
typedef struct qs_csv_field {
    const char *text;
    size_t n;
    bool quoted;
} qs_csv_field;

typedef struct qs_csv_reader {
    const char *at, *end;
    char delimiter;
    size_t line; /* of `at`, from 1 */
} qs_csv_reader;

void qs_csv_start(qs_csv_reader *reader, const char *text, size_t n); /* finds the delimiter */

/* Move past empty lines; false at the end of the text. */
bool qs_csv_more(qs_csv_reader *reader);

/* The next field of a record; *last: it was the record's last one. Errors: QS_E_FORMAT, quotes that
 * do not close, with their line. */
qs_status qs_csv_next(qs_csv_reader *reader, qs_csv_field *out, bool *last, qs_error *err);

bool qs_csv_is(const qs_csv_field *field, const char *text);
bool qs_csv_number(const qs_csv_field *field, double *out);
const char *qs_csv_copy(qs_arena *arena, const qs_csv_field *field); /* NULL: no memory */

/* Labels as y: numbers where all are, else classes in the order of their sorted texts. Errors:
 * QS_E_DATA, too many different texts. */
qs_status qs_csv_labels(const qs_csv_field *label, size_t rows, qs_store *store, qs_parts *out,
                        qs_error *err);

/* Read a whole table. `label` names or counts its column (-1 is the last), "none" is none, NULL:
 * label, target, class or y, else the last one. Errors: QS_E_DATA with line and sample for ragged
 * rows and what is no number, QS_E_FORMAT, QS_E_MISSING for an unknown column. */
qs_status qs_csv_parse(const char *text, size_t n, const char *label, qs_store *store,
                       qs_parts *out, qs_error *err);

#endif
