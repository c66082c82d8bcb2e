/* SPDX-License-Identifier: MIT */
/* csv.c - reads a table: which column is the label, is there a header, then the numbers. */
#include "data/csv.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "quickstep/status.h"

enum { MOST_SHOWN = 32, MOST_NAMES = 1000 };

typedef struct table {
    qs_store *store;
    qs_csv_field *first; /* [columns] the first record */
    size_t columns;
    bool header;
    size_t label; /* column; == columns: none */

    size_t rows, room;
    double *x;            /* [room, columns without label] */
    qs_csv_field *labels; /* [room] */
} table;

/* ---- the first record ---- */

static qs_status read_first(table *t, qs_csv_reader *reader, qs_error *err)
{
    qs_csv_reader ahead = *reader;
    qs_csv_field field;
    bool last;
    do {
        QS_TRY(qs_csv_next(&ahead, &field, &last, err));
        t->columns++;
    } while (!last);
    t->first = QS_NEW_N(&t->store->arena, qs_csv_field, t->columns);
    if (!t->first)
        return qs_fail_memory(err, (double)t->columns * sizeof field, "the columns of a table");
    for (size_t c = 0; c < t->columns; c++)
        QS_TRY(qs_csv_next(reader, &t->first[c], &last, err));
    return QS_OK;
}

static bool find_name(const table *t, const char *name, size_t *out)
{
    for (size_t c = 0; c < t->columns; c++)
        if (qs_csv_is(&t->first[c], name)) {
            *out = c;
            return true;
        }
    return false;
}

static bool is_text(const qs_csv_field *field)
{
    double x;
    return field->n > 0 && !qs_csv_number(field, &x);
}

/* Names, not numbers, in some column of samples; a label alone may be text in any record. */
static bool looks_like_header(const table *t)
{
    for (size_t c = 0; c < t->columns; c++)
        if (c != t->label && is_text(&t->first[c]))
            return true;
    return false;
}

static qs_status no_column(const table *t, const char *label, qs_error *err)
{
    const size_t n = t->columns < MOST_NAMES ? t->columns : MOST_NAMES;
    const char **const names = QS_NEW_N(&t->store->arena, const char *, n + 1);
    char near[200];
    for (size_t c = 0; names && c < n; c++)
        if (!(names[c] = qs_csv_copy(&t->store->arena, &t->first[c])))
            break;
    return qs_fail(err, QS_E_MISSING,
                   "no column '%s' among %zu%s; give a name of the first line or a number from 0",
                   label, t->columns, names ? qs_nearest(label, names, near, sizeof near) : "");
}

static bool is_label_name(const qs_csv_field *field)
{
    static const char *const names[] = {"label", "target", "class", "y"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (field->n == strlen(names[i]) && strncasecmp(field->text, names[i], field->n) == 0)
            return true;
    return false;
}

static void choose_label(table *t)
{
    t->label = t->columns - 1;
    for (size_t c = t->columns; c-- > 0;)
        if (is_label_name(&t->first[c]))
            t->label = c;
    t->header = is_label_name(&t->first[t->label]) || looks_like_header(t);
}

static qs_status find_label(table *t, const char *label, qs_error *err)
{
    int64_t index;
    if (!label) {
        choose_label(t);
        return QS_OK;
    }
    if (find_name(t, label, &t->label) && is_text(&t->first[t->label])) {
        t->header = true;
        return QS_OK;
    }
    if (strcmp(label, "none") == 0) {
        t->label = t->columns;
    } else {
        if (!qs_integer_parse(label, strlen(label), &index))
            return no_column(t, label, err);
        index += index < 0 ? (int64_t)t->columns : 0;
        if (index < 0 || (uint64_t)index >= t->columns)
            return no_column(t, label, err);
        t->label = (size_t)index;
    }
    t->header = looks_like_header(t);
    return QS_OK;
}

/* ---- the rows ---- */

/* A row has a character and a separator for each column, so that a text of n bytes bounds them. */
static qs_status make_room(table *t, size_t bytes, qs_error *err)
{
    const size_t features = t->columns - (t->label < t->columns);
    void *x, *labels;
    if (features == 0)
        return qs_fail(err, QS_E_DATA,
                       "one column only; if it holds samples, say so with :label=none");
    t->room = (bytes + 1) / (2 * t->columns) + 1;
    QS_TRY(qs_store_block(t->store, t->room * features, sizeof *t->x, "a table", &x, err));
    QS_TRY(qs_store_block(t->store, t->room, sizeof *t->labels, "a table", &labels, err));
    t->x = x;
    t->labels = labels;
    return QS_OK;
}

static qs_status not_a_number(const table *t, const qs_csv_field *field, size_t column, size_t line,
                              qs_error *err)
{
    char name[MOST_SHOWN + 8] = "";
    const qs_csv_field *const head = &t->first[column];
    if (t->header)
        snprintf(name, sizeof name, " ('%.*s')", (int)(head->n < MOST_SHOWN ? head->n : MOST_SHOWN),
                 head->text);
    if (field->n == 0)
        return qs_fail(err, QS_E_DATA, "line %zu (sample %zu): column %zu%s is empty", line,
                       t->rows, column, name);
    return qs_fail(err, QS_E_DATA,
                   "line %zu (sample %zu): column %zu%s holds '%.*s', which is no number; if it is "
                   "the label, say :label=%zu",
                   line, t->rows, column, name,
                   (int)(field->n < MOST_SHOWN ? field->n : MOST_SHOWN), field->text, column);
}

static qs_status ragged(const table *t, size_t line, size_t fields, bool more, qs_error *err)
{
    return qs_fail(err, QS_E_DATA, "line %zu (sample %zu) has %s%zu fields, the first line has %zu",
                   line, t->rows, more ? "more than " : "", fields, t->columns);
}

static qs_status read_row(table *t, qs_csv_reader *reader, qs_error *err)
{
    const size_t line = reader->line, features = t->columns - (t->label < t->columns);
    double spare, *to = t->rows < t->room ? t->x + t->rows * features : NULL;
    qs_csv_field field;
    bool last = false;
    for (size_t c = 0; c < t->columns; c++) {
        if (last)
            return ragged(t, line, c, false, err);
        QS_TRY(qs_csv_next(reader, &field, &last, err));
        if (c == t->label && field.n == 0)
            return not_a_number(t, &field, c, line, err);
        if (c == t->label && to)
            t->labels[t->rows] = field;
        else if (c != t->label && !qs_csv_number(&field, to ? to++ : &spare))
            return not_a_number(t, &field, c, line, err);
    }
    if (!last)
        return ragged(t, line, t->columns, true, err);
    t->rows += to != NULL;
    return QS_OK;
}

static qs_status read_rows(table *t, qs_csv_reader *reader, qs_error *err)
{
    while (qs_csv_more(reader))
        QS_TRY(read_row(t, reader, err));
    if (t->rows == 0)
        return qs_fail(err, QS_E_DATA, "there are no rows%s",
                       t->header ? " below the first line, which holds names" : "");
    return QS_OK;
}

qs_status qs_csv_parse(const char *text, size_t n, const char *label, qs_store *store,
                       qs_parts *out, qs_error *err)
{
    table t = {.store = store};
    qs_csv_reader reader;
    qs_csv_start(&reader, text, n);
    if (!qs_csv_more(&reader))
        return qs_fail(err, QS_E_DATA, "the file is empty");
    const qs_csv_reader begin = reader;
    QS_TRY(read_first(&t, &reader, err));
    QS_TRY(find_label(&t, label, err));
    if (!t.header)
        reader = begin;
    QS_TRY(make_room(&t, n, err));
    QS_TRY(read_rows(&t, &reader, err));

    const size_t features = t.columns - (t.label < t.columns);
    out->x = (qs_array){.data = t.x, .dtype = QS_F64, .rank = 2, .dim = {t.rows, features}};
    out->narrow = true;
    if (t.label < t.columns)
        QS_TRY(qs_csv_labels(t.labels, t.rows, store, out, err));
    qs_store_drop(store, t.labels);
    return QS_OK;
}
