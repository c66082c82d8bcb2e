/* SPDX-License-Identifier: MIT */
/* layout_test.c - slices cover every batch; a matrix comes back from its blocks. */
#include "kernels/layout.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"

enum { MOST = 2000 };

static void check_slices(const qs_slicing *s, size_t n)
{
    size_t lanes = 0, valid = 0;
    for (size_t k = 0; k < s->slices; k++) {
        cr_assert_eq(qs_slice_first(s, k), lanes, "%zu samples, slice %zu", n, k);
        cr_assert(qs_slice_lanes(s, k) > 0 && qs_slice_lanes(s, k) <= QS_SLICE);
        cr_assert_eq(qs_slice_lanes(s, k) % QS_LANE, 0);
        cr_assert(qs_slice_valid(s, k) > 0 && qs_slice_valid(s, k) <= qs_slice_lanes(s, k),
                  "%zu samples, slice %zu", n, k);
        lanes += qs_slice_lanes(s, k);
        valid += qs_slice_valid(s, k);
    }
    cr_assert_eq(valid, n);
    cr_assert_eq(qs_slice_first(s, s->slices), lanes);
    cr_assert_eq(lanes, qs_round_up(n, QS_LANE), "%zu samples", n);
}

Test(layout, slices_cover_every_batch)
{
    for (size_t n = 1; n <= MOST; n++) {
        const qs_slicing s = qs_slicing_of(n);
        cr_assert_eq(s.n, n);
        check_slices(&s, n);
    }
}

Test(layout, two_threads_have_something_to_do_from_17_samples_on)
{
    cr_expect_eq(qs_slicing_of(16).slices, 1);
    for (size_t n = 17; n <= MOST; n++)
        cr_expect(qs_slicing_of(n).slices >= 2, "%zu samples", n);
}

/* The executor has room for the lanes of its largest batch and for two slices more than that has. */
Test(layout, a_smaller_batch_fits_where_a_larger_one_does)
{
    size_t most_slices = 0, most_lanes = 0;
    for (size_t n = 1; n <= MOST; n++) {
        const qs_slicing s = qs_slicing_of(n);
        most_slices = s.slices > most_slices ? s.slices : most_slices;
        most_lanes =
            qs_slice_first(&s, s.slices) > most_lanes ? qs_slice_first(&s, s.slices) : most_lanes;
        cr_assert(most_slices <= s.slices + 2, "%zu samples: %zu slices, fewer had %zu", n,
                  s.slices, most_slices);
        cr_assert_eq(qs_slice_first(&s, s.slices), most_lanes, "%zu samples", n);
    }
}

static void check_matrix(size_t rows, size_t cols)
{
    const size_t floats = qs_blocked_size(rows, cols);
    float *plain = qs_calloc(rows * cols, sizeof *plain), *back = qs_calloc(rows * cols, 4);
    float *blocked = qs_calloc(floats + 16, sizeof *blocked);
    for (size_t i = 0; i < rows * cols; i++)
        plain[i] = (float)(i + 1);
    for (size_t i = floats; i < floats + 16; i++)
        blocked[i] = -1;
    qs_blocked_pack(rows, cols, plain, blocked);
    double sum = 0, wanted = (double)(rows * cols) * (double)(rows * cols + 1) / 2;
    for (size_t i = 0; i < floats; i++)
        sum += (double)blocked[i];
    cr_expect_eq(sum, wanted, "%zu x %zu: padding is zero, every number is there once", rows, cols);
    for (size_t i = floats; i < floats + 16; i++)
        cr_expect_eq(blocked[i], -1, "%zu x %zu: nothing past the end", rows, cols);
    qs_blocked_unpack(rows, cols, blocked, back);
    cr_expect_eq(memcmp(plain, back, rows * cols * sizeof *plain), 0, "%zu x %zu", rows, cols);
    qs_free(plain);
    qs_free(back);
    qs_free(blocked);
}

Test(layout, a_matrix_comes_back_from_its_blocks)
{
    static const size_t rows[] = {1, 2, 7, 33};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (size_t cols = 1; cols <= 200; cols++)
            check_matrix(rows[r], cols);
}

/* Row 2, column 50 of [3, 60]: the second block has 12 columns, padded to 16. */
Test(layout, blocks_lie_where_they_are_said_to)
{
    float plain[3 * 60] = {0}, blocked[3 * 64] = {0};
    plain[2 * 60 + 50] = 1;
    qs_blocked_pack(3, 60, plain, blocked);
    cr_expect_eq(blocked[3 * 48 + 2 * 16 + 2], 1);
    cr_expect_eq(qs_blocks(60), 2);
    cr_expect_eq(qs_block_width(60, 0), 48);
    cr_expect_eq(qs_block_width(60, 1), 16);
    cr_expect_eq(qs_blocked_size(3, 60), 3 * 64);
}
