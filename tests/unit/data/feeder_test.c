/* SPDX-License-Identifier: MIT */
/* feeder_test.c - batches: every row once an epoch, and both ways the same bytes. */
#include "data/feeder.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"

enum { ROWS = 103, FEATURES = 7, BATCH = 10, BATCHES = 11 };

static qs_data *open_set(const char *spec, const char *scale)
{
    qs_data_options options = QS_DATA_OPTIONS;
    qs_data *data = NULL;
    qs_error err = {0};
    options.scale = scale;
    cr_assert_eq(qs_data_open(spec, &options, &data, &err), QS_OK, "%s", err.text);
    return data;
}

static qs_feeder *open_feeder(const qs_data *data, bool shuffle, int resident)
{
    const qs_feeder_options options = {.batch = BATCH,
                                       .shuffle = shuffle,
                                       .seed = 5,
                                       .resident = resident,
                                       .prefetch = -1,
                                       .workers = resident == 0 ? 3 : -1};
    qs_feeder *feeder = NULL;
    qs_error err = {0};
    cr_assert_eq(qs_feeder_open(data, &options, &feeder, &err), QS_OK, "%s", err.text);
    return feeder;
}

/* All that a step may see of one sample, as bytes. */
static size_t sample_bytes(const qs_rows *rows, size_t i, unsigned char *out)
{
    const size_t row = rows->index ? rows->index[i] : i;
    const size_t x = rows->features * qs_dtype_bytes(rows->x_type);
    const size_t y = (rows->outputs ? rows->outputs : 1) * qs_dtype_bytes(rows->y_type);
    size_t at = 0;
    memcpy(out, (const char *)rows->x + row * x, x);
    at += x;
    memcpy(out + at, (const char *)rows->y + row * y, y);
    at += y;
    const float factor = rows->row_factor ? rows->row_factor[row] : 1,
                weight = rows->weight ? rows->weight[row] : 1;
    memcpy(out + at, &factor, sizeof factor);
    memcpy(out + at + sizeof factor, &weight, sizeof weight);
    return at + sizeof factor + sizeof weight;
}

/* The bytes of an epoch, from batch `first` on; returns how many samples. */
static size_t run(qs_feeder *feeder, uint64_t epoch, size_t first, unsigned char *out)
{
    size_t samples = 0, at = 0;
    qs_rows rows;
    qs_error err = {0};
    cr_assert_eq(qs_feeder_start(feeder, epoch, first, &err), QS_OK, "%s", err.text);
    for (;;) {
        cr_assert_eq(qs_feeder_next(feeder, &rows, &err), QS_OK, "%s", err.text);
        if (rows.n == 0)
            break;
        for (size_t i = 0; i < rows.n; i++)
            at += sample_bytes(&rows, i, out + at);
        samples += rows.n;
    }
    return samples;
}

Test(feeder, resident_and_prefetch_give_the_same_bytes)
{
    static unsigned char a[1 << 20], b[1 << 20];
    static const char *const scales[] = {"none", "l2", "standard"};
    for (size_t s = 0; s < 3; s++) {
        qs_data *data = open_set("synthetic:103,7,4", scales[s]);
        qs_feeder *in_place = open_feeder(data, true, 1), *ahead = open_feeder(data, true, 0);
        cr_assert(qs_feeder_resident(in_place));
        cr_assert_not(qs_feeder_resident(ahead));
        cr_assert_eq(qs_feeder_batches(ahead), BATCHES);
        for (uint64_t epoch = 1; epoch <= 20; epoch++) {
            const size_t first = epoch % 4 == 0 ? 6 : 0;
            memset(a, 0, sizeof a);
            memset(b, 1, sizeof b);
            const size_t n = run(in_place, epoch, first, a);
            cr_assert_eq(n, ROWS - first * BATCH);
            cr_assert_eq(run(ahead, epoch, first, b), n);
            cr_assert_arr_eq(a, b, n * (FEATURES * 4 + 12));
        }
        qs_feeder_close(in_place);
        qs_feeder_close(ahead);
        qs_data_close(data);
    }
}

Test(feeder, an_epoch_has_each_row_once_in_an_order_of_its_own)
{
    qs_data *data = open_set("synthetic:103,7,4", NULL);
    qs_feeder *feeder = open_feeder(data, true, 1);
    uint32_t order[2][ROWS];
    for (uint64_t epoch = 1; epoch <= 2; epoch++) {
        qs_rows rows;
        int seen[ROWS] = {0};
        size_t at = 0;
        cr_assert_eq(qs_feeder_start(feeder, epoch, 0, NULL), QS_OK);
        while (qs_feeder_next(feeder, &rows, NULL) == QS_OK && rows.n > 0)
            for (size_t i = 0; i < rows.n; i++) {
                seen[rows.index[i]]++;
                order[epoch - 1][at++] = rows.index[i];
            }
        for (int i = 0; i < ROWS; i++)
            cr_assert_eq(seen[i], 1);
    }
    uint32_t expected[ROWS];
    qs_permute(qs_key(5, 2, 1), expected, ROWS);
    cr_assert_arr_eq(order[1], expected, sizeof expected);
    cr_assert_neq(memcmp(order[0], order[1], sizeof order[0]), 0);
    qs_feeder_close(feeder);
    qs_data_close(data);
}

Test(feeder, without_shuffle_the_order_is_the_files)
{
    qs_data *data = open_set("synthetic:103,7,4", NULL);
    qs_feeder *feeder = open_feeder(data, false, 1);
    qs_rows rows;
    cr_assert_eq(qs_feeder_start(feeder, 3, 10, NULL), QS_OK);
    cr_assert_eq(qs_feeder_next(feeder, &rows, NULL), QS_OK);
    cr_assert_eq(rows.n, 3);
    for (uint32_t i = 0; i < 3; i++)
        cr_assert_eq(rows.index[i], 100 + i);
    cr_assert_eq(qs_feeder_start(feeder, 3, 12, NULL), QS_E_ARG);
    qs_feeder_close(feeder);
    qs_data_close(data);
}

Test(feeder, nothing_is_allocated_after_open)
{
    static unsigned char bytes[1 << 16];
    qs_data *data = open_set("synthetic:103,7,4", "l1");
    qs_feeder *in_place = open_feeder(data, true, 1), *ahead = open_feeder(data, true, 0);
    const size_t before = qs_alloc_calls();
    for (uint64_t epoch = 1; epoch <= 5; epoch++) {
        run(in_place, epoch, 0, bytes);
        run(ahead, epoch, 0, bytes);
    }
    cr_assert_eq(qs_alloc_calls(), before);
    qs_feeder_close(in_place);
    qs_feeder_close(ahead);
    qs_data_close(data);
}

Test(feeder, closing_in_the_middle_of_an_epoch_is_fine)
{
    qs_data *data = open_set("synthetic:103,7,4", NULL);
    for (int i = 0; i < 50; i++) {
        qs_feeder *feeder = open_feeder(data, true, 0);
        qs_rows rows;
        cr_assert_eq(qs_feeder_start(feeder, 1, 0, NULL), QS_OK);
        for (int k = 0; k < i % 5; k++)
            cr_assert_eq(qs_feeder_next(feeder, &rows, NULL), QS_OK);
        qs_feeder_close(feeder);
    }
    qs_feeder_close(NULL);
    qs_data_close(data);
}

/* ---- a source of one's own ---- */

static int read_rows(void *self, const uint32_t *index, size_t n, void *x, void *y)
{
    const uint32_t *const bad = self;
    for (size_t i = 0; i < n; i++) {
        for (size_t f = 0; f < FEATURES; f++)
            ((float *)x)[i * FEATURES + f] = (float)(index[i] * FEATURES + f + 1);
        ((int32_t *)y)[i] = index[i] == bad[1] ? 4 : (int32_t)(index[i] % 4);
        if (index[i] == bad[2])
            ((float *)x)[i * FEATURES + 3] = (float)atof("nan");
        if (index[i] == bad[0])
            return 7;
    }
    return 0;
}

static qs_data *own_set(uint32_t bad[3], const char *scale)
{
    const qs_source source = {.bytes = sizeof source,
                              .rows = ROWS,
                              .rank = 1,
                              .shape = {FEATURES},
                              .dtype = QS_F32,
                              .classes = 4,
                              .read = read_rows,
                              .self = bad};
    qs_data_options options = QS_DATA_OPTIONS;
    options.scale = scale;
    qs_data *data = NULL;
    qs_error err = {0};
    cr_assert_eq(qs_data_custom(&source, &options, &data, &err), QS_OK, "%s", err.text);
    return data;
}

/* The same rows as arrays. */
static qs_data *wrapped(const char *scale)
{
    static float x[ROWS * FEATURES];
    static int32_t y[ROWS];
    static uint32_t good[] = {ROWS, ROWS, ROWS}, index[ROWS];
    for (uint32_t i = 0; i < ROWS; i++)
        index[i] = i;
    read_rows(good, index, ROWS, x, y);
    const qs_array samples = {x, QS_F32, 2, {ROWS, FEATURES}}, labels = {y, QS_I32, 1, {ROWS}};
    qs_data_options options = QS_DATA_OPTIONS;
    options.scale = scale;
    qs_data *data = NULL;
    cr_assert_eq(qs_data_wrap(&samples, &labels, NULL, &options, &data, NULL), QS_OK);
    return data;
}

Test(feeder, own_source_gives_what_arrays_give)
{
    static unsigned char a[1 << 16], b[1 << 16];
    static const char *const scales[] = {"none", "l1", "max"};
    uint32_t good[] = {ROWS, ROWS, ROWS};
    for (size_t s = 0; s < 3; s++) {
        qs_data *own = own_set(good, scales[s]), *arrays = wrapped(scales[s]), *part[4];
        cr_assert_eq(qs_data_split(own, 0.5, &part[0], &part[1], NULL), QS_OK);
        cr_assert_eq(qs_data_split(arrays, 0.5, &part[2], &part[3], NULL), QS_OK);
        for (int p = 0; p < 2; p++) {
            qs_feeder *left = open_feeder(part[p], true, 1),
                      *right = open_feeder(part[p + 2], true, 1);
            cr_assert_not(qs_feeder_resident(left));
            const size_t n = run(left, 9, 0, a);
            cr_assert_eq(run(right, 9, 0, b), n);
            cr_assert_arr_eq(a, b, n * (FEATURES * 4 + 12));
            qs_feeder_close(left);
            qs_feeder_close(right);
        }
        for (int p = 0; p < 4; p++)
            qs_data_close(part[p]);
        qs_data_close(own);
        qs_data_close(arrays);
    }
}

static void expect_failure(uint32_t bad[3], qs_status status, const char *text)
{
    qs_data *data = own_set(bad, NULL);
    qs_feeder *feeder = open_feeder(data, false, -1);
    qs_rows rows = {0};
    qs_error err = {0};
    cr_assert_eq(qs_feeder_start(feeder, 1, 0, &err), QS_OK);
    for (int i = 0; i < 4; i++)
        cr_assert_eq(qs_feeder_next(feeder, &rows, &err), QS_OK, "%s", err.text);
    cr_assert_eq(qs_feeder_next(feeder, &rows, &err), status);
    cr_assert(strstr(err.text, text), "%s", err.text);
    cr_assert_eq(qs_feeder_next(feeder, &rows, &err), status);
    qs_feeder_close(feeder);
    qs_data_close(data);
}

Test(feeder, failures_of_an_own_source_come_with_the_row)
{
    expect_failure((uint32_t[]){45, ROWS, ROWS}, QS_E_IO, "from row 40 on failed with 7");
    expect_failure((uint32_t[]){ROWS, 45, ROWS}, QS_E_DATA, "row 45 is 4");
    expect_failure((uint32_t[]){ROWS, ROWS, 45}, QS_E_DATA, "row 45 holds nan");
}

Test(feeder, injected_delay_is_waited_for_and_counted)
{
    setenv("QUICKSTEP_INJECT", "launch_us=3,load_ms=20", 1);
    qs_data *data = open_set("synthetic:40,7,4", NULL);
    for (int resident = 0; resident <= 1; resident++) {
        const qs_feeder_options options = {
            .batch = BATCH, .resident = resident, .prefetch = -1, .workers = 1};
        qs_feeder *feeder = NULL;
        qs_rows rows = {.n = 1};
        cr_assert_eq(qs_feeder_open(data, &options, &feeder, NULL), QS_OK);
        cr_assert_eq(qs_feeder_start(feeder, 1, 0, NULL), QS_OK);
        while (rows.n > 0)
            cr_assert_eq(qs_feeder_next(feeder, &rows, NULL), QS_OK);
        cr_assert_geq(qs_feeder_waited(feeder), 0.078);
        cr_assert_leq(qs_feeder_waited(feeder), 0.6);
        qs_feeder_close(feeder);
    }
    qs_data_close(data);
    unsetenv("QUICKSTEP_INJECT");
}
