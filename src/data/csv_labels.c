/* SPDX-License-Identifier: MIT */
/* csv_labels.c - a column of labels: numbers, or texts that become classes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "data/csv.h"

enum { MOST_TEXTS = 65536 };

typedef struct entry {
    qs_csv_field field;
    size_t row;
} entry;

static int compare(const void *a, const void *b)
{
    const qs_csv_field *const x = &((const entry *)a)->field, *const y = &((const entry *)b)->field;
    const int order = memcmp(x->text, y->text, x->n < y->n ? x->n : y->n);
    return order ? order : (x->n > y->n) - (x->n < y->n);
}

static bool all_numbers(const qs_csv_field *label, size_t rows, double *out)
{
    for (size_t i = 0; i < rows; i++)
        if (!qs_csv_number(&label[i], &out[i]))
            return false;
    return true;
}

/* Sorted entries: give equal ones one class, and its name. */
static qs_status number_classes(const entry *sorted, size_t rows, qs_store *store, int32_t *y,
                                qs_parts *out, qs_error *err)
{
    const char **const names = QS_NEW_N(&store->arena, const char *, MOST_TEXTS);
    size_t classes = 0;
    if (!names)
        return qs_fail_memory(err, MOST_TEXTS * sizeof *names, "class names");
    for (size_t i = 0; i < rows; i++) {
        if (i == 0 || compare(&sorted[i - 1], &sorted[i]) != 0) {
            if (classes == MOST_TEXTS)
                return qs_fail(err, QS_E_DATA,
                               "more than %d different texts as labels; name the right column with "
                               ":label=COLUMN",
                               MOST_TEXTS);
            names[classes] = qs_csv_copy(&store->arena, &sorted[i].field);
            if (!names[classes++])
                return qs_fail_memory(err, (double)sorted[i].field.n, "class names");
        }
        y[sorted[i].row] = (int32_t)classes - 1;
    }
    out->class_name = names;
    out->classes = classes;
    return QS_OK;
}

static qs_status text_labels(const qs_csv_field *label, size_t rows, qs_store *store, int32_t *y,
                             qs_parts *out, qs_error *err)
{
    void *block;
    QS_TRY(qs_store_block(store, rows, sizeof(entry), "labels", &block, err));
    entry *const sorted = block;
    for (size_t i = 0; i < rows; i++)
        sorted[i] = (entry){label[i], i};
    qsort(sorted, rows, sizeof *sorted, compare);
    const qs_status status = number_classes(sorted, rows, store, y, out, err);
    qs_store_drop(store, block);
    return status;
}

qs_status qs_csv_labels(const qs_csv_field *label, size_t rows, qs_store *store, qs_parts *out,
                        qs_error *err)
{
    void *numbers, *classes;
    QS_TRY(qs_store_block(store, rows, sizeof(double), "labels", &numbers, err));
    out->y = (qs_array){.data = numbers, .dtype = QS_F64, .rank = 1, .dim = {rows}};
    if (all_numbers(label, rows, numbers))
        return QS_OK;
    qs_store_drop(store, numbers);
    QS_TRY(qs_store_block(store, rows, sizeof(int32_t), "labels", &classes, err));
    out->y = (qs_array){.data = classes, .dtype = QS_I32, .rank = 1, .dim = {rows}};
    return text_labels(label, rows, store, classes, out, err);
}
