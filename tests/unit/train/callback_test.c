/* SPDX-License-Identifier: MIT */
/* callback_test.c - early stopping and plateau reduction do what Keras' callbacks did. */
#include "train/callback.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "tensor/npy.h"

enum { MOST = 64, LINE = 4096 };

static const qs_scores no_metrics = {.metrics = 0};

static qs_early_stop early_of(const char *text)
{
    qs_early_stop stop;
    qs_error err = {0};
    cr_assert_eq(qs_early_stop_parse(text, &stop, &err), QS_OK, "%s: %s", text, err.text);
    cr_assert_eq(qs_watch_resolve(&stop.watch, &no_metrics, true, &err), QS_OK, "%s", err.text);
    return stop;
}

static qs_plateau plateau_of(const char *text)
{
    qs_plateau plateau;
    qs_error err = {0};
    cr_assert_eq(qs_plateau_parse(text, &plateau, &err), QS_OK, "%s: %s", text, err.text);
    cr_assert_eq(qs_watch_resolve(&plateau.watch, &no_metrics, true, &err), QS_OK, "%s", err.text);
    return plateau;
}

/* ---- cases made by Keras' own callbacks ---- */

static size_t numbers_of(char *text, double *out)
{
    size_t n = 0;
    for (char *end; *text; text = *end ? end + 1 : end) {
        cr_assert_lt(n, (size_t)MOST);
        out[n++] = strtod(text, &end);
        cr_assert_neq(end, text);
    }
    return n;
}

static void check_early(const char *text, const double *score, size_t n, const double *want)
{
    const qs_early_stop stop = early_of(text);
    qs_watch_state state = {0};
    size_t ended = 0, kept = 0;
    for (size_t i = 1; i <= n && !ended; i++) {
        if (qs_early_stop_epoch(&stop, &state, i, score[i - 1]) && stop.restore)
            kept = i;
        ended = state.stopped ? i : 0;
    }
    cr_assert_eq(ended, (size_t)want[0], "%s ended after %zu, Keras after %g", text, ended,
                 want[0]);
    cr_assert_eq(kept, (size_t)want[1], "%s kept epoch %zu, Keras %g", text, kept, want[1]);
}

static void check_plateau(const char *text, const double *score, size_t n, const double *want)
{
    const qs_plateau plateau = plateau_of(text);
    qs_watch_state state = {0};
    double rate = 0.1;
    for (size_t i = 0; i < n; i++) {
        rate = qs_plateau_epoch(&plateau, &state, score[i], rate);
        cr_assert_float_eq(rate, want[i], 1e-6 * want[i], "%s: epoch %zu gives %.9g, Keras %.9g",
                           text, i + 1, rate, want[i]);
    }
}

static FILE *source_file(const char *name)
{
    const char *root = getenv("QS_SOURCE");
    char path[LINE];
    snprintf(path, sizeof path, "%s/tests/unit/train/%s", root ? root : ".", name);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s is missing", path);
    return file;
}

Test(callback, does_as_keras_did_in_200_cases)
{
    FILE *file = source_file("callback_cases.txt");
    char line[LINE];
    size_t cases = 0;
    for (; fgets(line, sizeof line, file); cases++) {
        double score[MOST], want[MOST];
        char *rest = line;
        const char *kind = strsep(&rest, ";"), *text = strsep(&rest, ";");
        const size_t n = numbers_of(strsep(&rest, ";"), score);
        rest[strcspn(rest, "\n")] = 0;
        numbers_of(rest, want);
        (strcmp(kind, "early") ? check_plateau : check_early)(text, score, n, want);
    }
    fclose(file);
    cr_assert_eq(cases, 200);
}

/* Keras' scores are f32: what is less only in a double's last digits is the same to it. */
Test(callback, a_difference_below_f32_is_none)
{
    const qs_early_stop stop = early_of("val_loss:patience=1");
    qs_watch_state state = {0};
    qs_early_stop_epoch(&stop, &state, 1, 0.5);
    cr_assert_not(qs_early_stop_epoch(&stop, &state, 2, 0.5 - 1e-12));
    cr_assert(state.stopped);
}

/* ---- whole trainings recorded from Keras ---- */

/* Values of one f64 array of the fixture; 0 where the fixtures are not there. */
static size_t fixture(const char *folder, const char *array, double *out)
{
    const char *shared = getenv("QS_SHARED"), *root = getenv("QS_SOURCE");
    char path[LINE], member[128];
    unsigned char bytes[LINE];
    qs_array found;
    bool fortran;
    snprintf(path, sizeof path, "%s%s/golden/%s/expect.npz",
             shared ? shared
             : root ? root
                    : ".",
             shared ? "" : "/../shared", folder);
    snprintf(member, sizeof member, "%s.npy", array);
    zip_t *zip = zip_open(path, ZIP_RDONLY, NULL);
    if (!zip)
        return 0;
    zip_file_t *file = zip_fopen(zip, member, 0);
    cr_assert_not_null(file, "%s has no %s", path, member);
    const zip_int64_t n = zip_fread(file, bytes, sizeof bytes);
    zip_fclose(file);
    zip_discard(zip);
    cr_assert_gt(n, 0);
    cr_assert_eq(qs_npy_parse(bytes, (size_t)n, &found, &fortran, NULL), QS_OK);
    cr_assert_eq(found.dtype, QS_F64);
    cr_assert_leq(found.dim[0], (size_t)MOST);
    memcpy(out, found.data, found.dim[0] * sizeof *out);
    return found.dim[0];
}

Test(callback, early_stopping_ends_where_the_recorded_training_did)
{
    double loss[MOST];
    const size_t n = fixture("callback_early_stopping", "history_val_loss", loss);
    if (!n)
        cr_skip_test("no fixtures: set QS_SHARED");
    const qs_early_stop stop = early_of("val_loss:patience=4,min_delta=0.001,restore_best=true");
    qs_watch_state state = {0};
    for (size_t i = 0; i < n; i++) {
        cr_assert_not(state.stopped, "stopped after epoch %zu of %zu", i, n);
        qs_early_stop_epoch(&stop, &state, i + 1, loss[i]);
    }
    cr_assert(state.stopped);
    cr_assert_eq(state.best_epoch, 6);
}

Test(callback, reduction_gives_the_recorded_rates)
{
    double loss[MOST], rates[MOST], rate = 0.03;
    const size_t n = fixture("callback_reduce_lr_on_plateau", "history_val_loss", loss);
    if (!n)
        cr_skip_test("no fixtures: set QS_SHARED");
    cr_assert_eq(fixture("callback_reduce_lr_on_plateau", "history_learning_rate", rates), n);
    const qs_plateau plateau =
        plateau_of("val_loss:factor=0.5,patience=2,min_delta=0.001,cooldown=1,min_lr=0.001");
    qs_watch_state state = {0};
    for (size_t i = 0; i < n; i++) {
        cr_assert_float_eq(rate, rates[i], 1e-7 * rates[i], "epoch %zu: %g, Keras %g", i + 1, rate,
                           rates[i]);
        rate = qs_plateau_epoch(&plateau, &state, loss[i], rate);
    }
}

/* ---- spelling ---- */

Test(callback, presets_are_keras)
{
    const qs_early_stop stop = early_of("val_loss");
    cr_assert_eq(stop.patience, 0);
    cr_assert_eq(stop.start_from_epoch, 0);
    cr_assert_eq(stop.watch.min_delta, 0);
    cr_assert_not(stop.restore);
    cr_assert_not(stop.has_baseline);
    const qs_plateau plateau = plateau_of("val_loss");
    cr_assert_eq(plateau.patience, 10);
    cr_assert_eq(plateau.factor, 0.1);
    cr_assert_eq(plateau.watch.min_delta, 1e-4);
    cr_assert_eq(plateau.cooldown, 0);
    cr_assert_eq(plateau.min_lr, 0);
}

Test(callback, keras_order_of_arguments_is_read_too)
{
    const qs_early_stop stop = early_of("patience=3,monitor=loss");
    cr_assert_str_eq(stop.watch.name, "loss");
    cr_assert_eq(stop.patience, 3);
}

Test(callback, unknown_scores_are_refused_with_those_there_are)
{
    const qs_scores scores = {.metrics = 1, .name = {"accuracy"}};
    qs_early_stop stop;
    qs_error err;
    cr_assert_eq(qs_early_stop_parse("val_acuracy", &stop, &err), QS_OK);
    cr_assert_eq(qs_watch_resolve(&stop.watch, &scores, true, &err), QS_E_ARG);
    cr_assert_not_null(strstr(err.text, "val_accuracy"));
    cr_assert_eq(qs_early_stop_parse("val_loss", &stop, &err), QS_OK);
    cr_assert_eq(qs_watch_resolve(&stop.watch, &scores, false, &err), QS_E_ARG);
    cr_assert_not_null(strstr(err.text, "--validation-split"));
}

Test(callback, accuracy_is_better_when_larger)
{
    const qs_scores scores = {.metrics = 1, .name = {"accuracy"}};
    const qs_epoch epoch = {.valid = {.value = {0.25}}};
    qs_early_stop stop;
    qs_error err;
    cr_assert_eq(qs_early_stop_parse("val_accuracy", &stop, &err), QS_OK);
    cr_assert_eq(qs_watch_resolve(&stop.watch, &scores, true, &err), QS_OK, "%s", err.text);
    cr_assert(stop.watch.maximize);
    cr_assert_eq(qs_watch_value(&stop.watch, &epoch), 0.25);
}

Test(callback, bad_options_are_refused)
{
    qs_early_stop stop;
    qs_plateau plateau;
    qs_error err;
    cr_assert_eq(qs_early_stop_parse("val_loss:pacience=3", &stop, &err), QS_E_ARG);
    cr_assert_not_null(strstr(err.text, "patience"), "%s", err.text);
    cr_assert_eq(qs_early_stop_parse("val_loss:patience=-1", &stop, &err), QS_E_ARG);
    cr_assert_eq(qs_early_stop_parse("val_loss:mode=up", &stop, &err), QS_E_ARG);
    cr_assert_eq(qs_plateau_parse("val_loss:factor=1", &plateau, &err), QS_E_ARG);
}
