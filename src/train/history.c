/* SPDX-License-Identifier: MIT */
/* history.c - the finished epochs of a run, as rows of numbers and as CSV. */
#include "train/history.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"

enum { HEAD = 7, SCORES = 2 + QS_MAX_METRICS, FIRST_ROOM = 16 };

static bool make_room(qs_history *history)
{
    if (history->epochs < history->room)
        return true;
    const size_t room = history->room ? 2 * history->room : FIRST_ROOM;
    qs_epoch *epoch = qs_realloc(history->epoch, room * sizeof *epoch);
    if (epoch)
        history->epoch = epoch;
    double *train_s = epoch ? qs_realloc(history->train_s, room * sizeof *train_s) : NULL;
    if (train_s) {
        history->train_s = train_s;
        history->room = room;
    }
    return train_s != NULL;
}

qs_status qs_history_add(qs_history *history, const qs_epoch *epoch, double train_s, qs_error *err)
{
    if (!make_room(history))
        return qs_fail_memory(err, 2.0 * (double)(history->room * sizeof *epoch), "the history");
    history->epoch[history->epochs] = *epoch;
    history->train_s[history->epochs] = train_s;
    history->epochs++;
    return QS_OK;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

qs_status qs_history_step_ms(const qs_history *history, double *ms, qs_error *err)
{
    *ms = 0;
    const size_t n = history->epochs;
    if (!n)
        return QS_OK;
    double *each = qs_malloc(n * sizeof *each);
    if (!each)
        return qs_fail_memory(err, (double)(n * sizeof *each), "the median step time");
    for (size_t i = 0; i < n; i++)
        each[i] = 1e3 * history->train_s[i] / (double)history->epoch[i].steps;
    qsort(each, n, sizeof *each, ascending);
    *ms = 0.5 * (each[(n - 1) / 2] + each[n / 2]);
    qs_free(each);
    return QS_OK;
}

size_t qs_history_columns(void)
{
    return HEAD + 2 * SCORES;
}

static void put_scores(const qs_scores *scores, double *row)
{
    row[0] = scores->loss;
    row[1] = (double)scores->samples;
    memcpy(row + 2, scores->value, sizeof scores->value);
}

static void get_scores(const double *row, const qs_scores *like, qs_scores *scores)
{
    *scores = *like;
    scores->loss = row[0];
    scores->samples = (size_t)row[1];
    memcpy(scores->value, row + 2, sizeof scores->value);
}

void qs_history_rows(const qs_history *history, double *rows)
{
    for (size_t i = 0; i < history->epochs; i++) {
        const qs_epoch *epoch = &history->epoch[i];
        double *row = rows + i * qs_history_columns();
        row[0] = (double)epoch->epoch;
        row[1] = epoch->has_valid;
        row[2] = epoch->seconds;
        row[3] = epoch->seconds_waiting;
        row[4] = epoch->learning_rate;
        row[5] = (double)epoch->steps;
        row[6] = history->train_s[i];
        put_scores(&epoch->train, row + HEAD);
        put_scores(&epoch->valid, row + HEAD + SCORES);
    }
}

qs_status qs_history_read(qs_history *history, const double *rows, size_t epochs,
                          const qs_scores *like, qs_error *err)
{
    qs_history made = {0};
    for (size_t i = 0; i < epochs; i++) {
        const double *row = rows + i * qs_history_columns();
        qs_epoch epoch = {.epoch = (size_t)row[0],
                          .has_valid = row[1] != 0,
                          .seconds = row[2],
                          .seconds_waiting = row[3],
                          .learning_rate = row[4],
                          .steps = (size_t)row[5]};
        get_scores(row + HEAD, like, &epoch.train);
        if (epoch.has_valid)
            get_scores(row + HEAD + SCORES, like, &epoch.valid);
        const qs_status status = qs_history_add(&made, &epoch, row[6], err);
        if (status != QS_OK) {
            qs_history_free(&made);
            return status;
        }
    }
    qs_history_free(history);
    *history = made;
    return QS_OK;
}

/* Text that grows; `text` is NULL once memory ran out. */
typedef struct buffer {
    char *text;
    size_t used, room;
} buffer;

static void put(buffer *b, const char *text)
{
    const size_t n = strlen(text);
    if (b->used + n + 1 > b->room) {
        const size_t room = 2 * (b->used + n + 1);
        char *more = b->room && !b->text ? NULL : qs_realloc(b->text, room);
        if (!more)
            qs_free(b->text);
        b->text = more;
        b->room = room;
    }
    if (b->text) {
        memcpy(b->text + b->used, text, n + 1);
        b->used += n;
    }
}

static void put_cell(buffer *b, double x)
{
    char text[QS_NUMBER_TEXT];
    put(b, ",");
    put(b, qs_number_text(x, text));
}

static void put_score_cells(buffer *b, const qs_scores *scores)
{
    put_cell(b, scores->loss);
    for (int i = 0; i < scores->metrics; i++)
        put_cell(b, scores->value[i]);
}

static void put_names(buffer *b, const char *prefix, const qs_scores *like)
{
    put(b, ",");
    put(b, prefix);
    put(b, "loss");
    for (int i = 0; i < like->metrics; i++) {
        put(b, ",");
        put(b, prefix);
        put(b, like->name[i]);
    }
}

static void put_row(buffer *b, const qs_epoch *epoch, bool has_valid)
{
    char text[QS_NUMBER_TEXT];
    put(b, qs_number_text((double)epoch->epoch, text));
    put_score_cells(b, &epoch->train);
    if (has_valid && epoch->has_valid)
        put_score_cells(b, &epoch->valid);
    else if (has_valid)
        for (int i = 0; i <= epoch->train.metrics; i++)
            put(b, ",");
    put_cell(b, epoch->learning_rate);
    put_cell(b, round(1e6 * epoch->seconds) / 1e6);
    put_cell(b, round(1e6 * epoch->seconds_waiting) / 1e6);
    put(b, "\n");
}

char *qs_history_csv(const qs_history *history, const qs_scores *like, int has_valid)
{
    buffer b = {0};
    put(&b, "epoch");
    put_names(&b, "", like);
    if (has_valid)
        put_names(&b, "val_", like);
    put(&b, ",lr,seconds,seconds_waiting\n");
    for (size_t i = 0; i < history->epochs; i++)
        put_row(&b, &history->epoch[i], has_valid);
    return b.text;
}

char *qs_history_csv_row(const qs_epoch *epoch, int has_valid)
{
    buffer b = {0};
    put_row(&b, epoch, has_valid);
    return b.text;
}

void qs_history_free(qs_history *history)
{
    qs_free(history->epoch);
    qs_free(history->train_s);
    *history = (qs_history){0};
}
