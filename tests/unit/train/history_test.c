/* SPDX-License-Identifier: MIT */
/* history_test.c - rows of a run come back bit exact, and as CSV. */
#include "train/history.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"

static const qs_scores like = {.metrics = 1, .name = {"accuracy"}};

static qs_epoch epoch_of(size_t n, int has_valid)
{
    const double x = (double)n;
    qs_epoch epoch = {.epoch = n,
                      .has_valid = has_valid,
                      .learning_rate = 0.1 / x,
                      .seconds = 0.25,
                      .seconds_waiting = 0.5,
                      .steps = 4};
    epoch.train = epoch.valid = like;
    epoch.train.loss = 1 / (3 + x);
    epoch.train.value[0] = 0.5;
    epoch.train.samples = 100;
    epoch.valid.loss = 2 / (3 + x);
    epoch.valid.value[0] = 0.25;
    epoch.valid.samples = 10;
    return epoch;
}

static qs_history history_of(size_t n, int has_valid)
{
    qs_history history = {0};
    for (size_t i = 1; i <= n; i++) {
        const qs_epoch epoch = epoch_of(i, has_valid);
        cr_assert_eq(qs_history_add(&history, &epoch, 0.004 * (double)i, NULL), QS_OK);
    }
    return history;
}

Test(history, comes_back_from_rows)
{
    enum { EPOCHS = 40 };
    qs_history history = history_of(EPOCHS, 1), again = {0};
    double *rows = qs_malloc(EPOCHS * qs_history_columns() * sizeof *rows);
    qs_history_rows(&history, rows);
    cr_assert_eq(qs_history_read(&again, rows, EPOCHS, &like, NULL), QS_OK);
    cr_assert_eq(again.epochs, EPOCHS);
    for (size_t i = 0; i < EPOCHS; i++) {
        cr_assert_eq(again.epoch[i].epoch, i + 1);
        cr_assert_eq(again.epoch[i].train.loss, history.epoch[i].train.loss);
        cr_assert_eq(again.epoch[i].valid.value[0], 0.25);
        cr_assert_eq(again.epoch[i].valid.samples, 10);
        cr_assert_str_eq(again.epoch[i].valid.name[0], "accuracy");
        cr_assert_eq(again.epoch[i].learning_rate, history.epoch[i].learning_rate);
        cr_assert_eq(again.train_s[i], history.train_s[i]);
    }
    qs_free(rows);
    qs_history_free(&history);
    qs_history_free(&again);
}

Test(history, csv_has_a_line_for_each_epoch)
{
    qs_history history = history_of(1, 1);
    char *csv = qs_history_csv(&history, &like, 1);
    cr_assert_str_eq(csv, "epoch,loss,accuracy,val_loss,val_accuracy,lr,seconds,seconds_waiting\n"
                          "1,0.25,0.5,0.5,0.25,0.1,0.25,0.5\n");
    qs_free(csv);
    qs_history_free(&history);
}

Test(history, csv_rows_appended_are_the_rows_of_the_whole)
{
    qs_history history = history_of(3, 0);
    char *csv = qs_history_csv(&history, &like, 0);
    char *last = qs_history_csv_row(&history.epoch[2], 0);
    cr_assert_str_eq(csv + strlen(csv) - strlen(last), last);
    qs_free(csv);
    qs_free(last);
    qs_history_free(&history);
}

Test(history, an_epoch_without_validation_leaves_its_cells_empty)
{
    const qs_epoch epoch = epoch_of(1, 0);
    char *row = qs_history_csv_row(&epoch, 1);
    cr_assert_str_eq(row, "1,0.25,0.5,,,0.1,0.25,0.5\n");
    qs_free(row);
}

Test(history, step_time_is_the_median_over_epochs)
{
    qs_history history = history_of(4, 0);
    double ms;
    cr_assert_eq(qs_history_step_ms(&history, &ms, NULL), QS_OK);
    cr_assert_float_eq(ms, 2.5, 1e-12);
    qs_history_free(&history);
}
