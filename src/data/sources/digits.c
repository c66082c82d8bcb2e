/* SPDX-License-Identifier: MIT */
/* digits.c - 1,797 handwritten digits inside the library: the first 1,500 train, 297 test. */
#include "data/digits.h"

#include "data/named.h"

static const qs_named_set set = {.name = "digits"};

static bool match(const char *spec)
{
    return qs_named_match(&set, spec);
}

static qs_status open_set(const char *spec, qs_store *store, qs_parts *out, qs_error *err)
{
    (void)store;
    bool test;
    QS_TRY(qs_named_part(set.name, spec, &test, err));
    const size_t first = test ? QS_DIGITS_TRAIN : 0,
                 rows = test ? QS_DIGITS_ROWS - QS_DIGITS_TRAIN : QS_DIGITS_TRAIN;
    out->x = (qs_array){
        .data = qs_digits_pixels + first * QS_DIGITS_SIDE * QS_DIGITS_SIDE,
        .dtype = QS_U8,
        .rank = 3,
        .dim = {rows, QS_DIGITS_SIDE, QS_DIGITS_SIDE},
    };
    out->y = (qs_array){.data = qs_digits_labels + first, .dtype = QS_U8, .rank = 1, .dim = {rows}};
    out->test = test ? NULL : "digits:test";
    return QS_OK;
}

const qs_source_kind qs_source_digits = {
    .name = "digits",
    .form = "digits[:test]",
    .help = "8x8 handwritten digits in 10 classes, inside the program (pixels are 0 to 16)",
    .match = match,
    .open = open_set,
};
