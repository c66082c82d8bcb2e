/* SPDX-License-Identifier: MIT */
/* callback.c - early stopping and plateau reduction as pure functions of an epoch's scores. */
#include "train/callback.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "nn/loss.h"
#include "nn/metric.h"
#include "nn/model.h"
#include "nn/spec.h"

#define WATCH_ATTRS                                                                                \
    {"monitor", QS_ATTR_TEXT, "val_loss", 0, 0, NULL, "score to follow"},                          \
    {                                                                                              \
        "mode", QS_ATTR_TEXT, "auto", 0, 0, "auto|min|max", "which direction is better"            \
    }

static const qs_attr early_attrs[] = {
    WATCH_ATTRS,
    {"min_delta", QS_ATTR_NUMBER, "0", 0, 0, NULL, "smallest change that counts"},
    {"patience", QS_ATTR_INTEGER, "0", 0, 1e9, NULL, "epochs without a better score"},
    {"baseline", QS_ATTR_NUMBER, "null", 0, 0, NULL, "score to beat before waiting starts anew"},
    {"restore_best", QS_ATTR_BOOL, "false", 0, 0, NULL, "end with the best epoch's weights"},
    {"restore_best_weights", QS_ATTR_BOOL, "false", 0, 0, NULL, "Keras' name of restore_best"},
    {"start_from_epoch", QS_ATTR_INTEGER, "0", 0, 1e9, NULL, "epochs to leave alone first"},
    {"verbose", QS_ATTR_INTEGER, "0", 0, 1, NULL, "accepted as in Keras, without effect"},
    {NULL, QS_ATTR_NUMBER, NULL, 0, 0, NULL, NULL}};

static const qs_attr plateau_attrs[] = {
    WATCH_ATTRS,
    {"factor", QS_ATTR_NUMBER, "0.1", 0, 1, NULL, "what the learning rate is multiplied with"},
    {"patience", QS_ATTR_INTEGER, "10", 0, 1e9, NULL, "epochs without a better score"},
    {"min_delta", QS_ATTR_NUMBER, "0.0001", 0, 0, NULL, "smallest change that counts"},
    {"cooldown", QS_ATTR_INTEGER, "0", 0, 1e9, NULL, "epochs to wait after a reduction"},
    {"min_lr", QS_ATTR_NUMBER, "0", 0, 1e9, NULL, "smallest learning rate"},
    {"verbose", QS_ATTR_INTEGER, "0", 0, 1, NULL, "accepted as in Keras, without effect"},
    {NULL, QS_ATTR_NUMBER, NULL, 0, 0, NULL, NULL}};

static const qs_kind early_kind = {
    "early_stopping", "EarlyStopping", NULL, early_attrs, NULL, NULL};
static const qs_kind plateau_kind = {
    "reduce_lr_on_plateau", "ReduceLROnPlateau", "reduce_lr", plateau_attrs, NULL, NULL};
static const qs_kind *const kinds[] = {&early_kind, &plateau_kind, NULL};
static const qs_registry callbacks = {"callbacks", "callback", "keras.callbacks", kinds};

/* "val_loss:k=v" names the score first; "monitor=val_loss,k=v" is Keras' order. */
static char *spec_text(const qs_kind *kind, const char *text)
{
    const size_t name = strcspn(text, ":=");
    if (text[name] == '=')
        return qs_format("%s:%s", kind->name, text);
    if (text[name] == ':')
        return qs_format("%s:monitor=%.*s,%s", kind->name, (int)name, text, text + name + 1);
    return qs_format("%s:monitor=%s", kind->name, text);
}

static qs_status parse(qs_arena *arena, const qs_kind *kind, const char *text, const qs_spec **out,
                       qs_error *err)
{
    char *full = spec_text(kind, text);
    if (!full)
        return qs_fail_memory(err, (double)strlen(text), kind->name);
    const qs_status status = qs_spec_parse(arena, &callbacks, full, out, err);
    qs_free(full);
    return status;
}

static size_t count_of(const qs_spec *spec, const char *attr)
{
    return (size_t)qs_spec_value(spec, attr)->number;
}

static qs_status read_watch(const qs_spec *spec, qs_watch *watch, qs_error *err)
{
    static const char *const modes[] = {"auto", "min", "max"};
    const char *monitor = qs_spec_value(spec, "monitor")->text;
    const size_t bytes = strlen(monitor) + 1;
    if (bytes > sizeof watch->name)
        return qs_fail(err, QS_E_ARG,
                       "%s: '%.60s' is too long for the name of a score; give one as in val_loss",
                       spec->kind->name, monitor);
    memcpy(watch->name, monitor, bytes);
    watch->mode = modes[0];
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (!strcmp(modes[i], qs_spec_value(spec, "mode")->text))
            watch->mode = modes[i];
    watch->min_delta = fabs(qs_spec_value(spec, "min_delta")->number);
    return QS_OK;
}

qs_status qs_early_stop_parse(const char *text, qs_early_stop *out, qs_error *err)
{
    qs_arena arena = {0};
    const qs_spec *spec = NULL;
    qs_early_stop stop = {0};
    qs_status status = parse(&arena, &early_kind, text, &spec, err);
    if (spec)
        status = read_watch(spec, &stop.watch, err);
    if (spec && status == QS_OK) {
        const qs_value *baseline = qs_spec_value(spec, "baseline");
        stop.patience = count_of(spec, "patience");
        stop.start_from_epoch = count_of(spec, "start_from_epoch");
        stop.has_baseline = !baseline->null;
        stop.baseline = baseline->number;
        stop.restore = qs_spec_value(spec, "restore_best")->number != 0 ||
                       qs_spec_value(spec, "restore_best_weights")->number != 0;
        *out = stop;
    }
    qs_arena_free(&arena);
    return status;
}

qs_status qs_plateau_parse(const char *text, qs_plateau *out, qs_error *err)
{
    qs_arena arena = {0};
    const qs_spec *spec = NULL;
    qs_plateau plateau = {0};
    qs_status status = parse(&arena, &plateau_kind, text, &spec, err);
    if (spec)
        status = read_watch(spec, &plateau.watch, err);
    if (spec && status == QS_OK) {
        plateau.factor = qs_spec_value(spec, "factor")->number;
        plateau.min_lr = qs_spec_value(spec, "min_lr")->number;
        plateau.patience = count_of(spec, "patience");
        plateau.cooldown = count_of(spec, "cooldown");
        if (plateau.factor >= 1)
            status = qs_fail(err, QS_E_ARG,
                             "%s: factor is %g; it must be below 1, or the rate never falls",
                             plateau_kind.name, plateau.factor);
        else
            *out = plateau;
    }
    qs_arena_free(&arena);
    return status;
}

static qs_status unknown_score(const char *name, const qs_scores *scores, bool has_valid,
                               qs_error *err)
{
    char list[256];
    size_t used = (size_t)snprintf(list, sizeof list, "loss%s", has_valid ? ", val_loss" : "");
    for (int i = 0; i < scores->metrics && used < sizeof list; i++) {
        const char *metric = scores->name[i];
        used += (size_t)snprintf(list + used, sizeof list - used, ", %s", metric);
        if (has_valid && used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, ", val_%s", metric);
    }
    return qs_fail(err, QS_E_ARG, "this run has no score '%s'; it has %s%s", name, list,
                   has_valid ? "" : ", and val_… with --valid or --validation-split");
}

static qs_status resolve_direction(qs_watch *watch, const char *metric, qs_error *err)
{
    watch->maximize = !strcmp(watch->mode, "max");
    if (strcmp(watch->mode, "auto") || watch->metric < 0)
        return QS_OK;
    char plain[QS_WATCH_NAME];
    const char *suffix = strstr(metric, "_weighted");
    const int n = suffix ? (int)(suffix - metric) : (int)strlen(metric);
    snprintf(plain, sizeof plain, "%.*s", n, metric);
    const qs_kind *kind = qs_kind_find(&qs_metric_registry, plain);
    if (kind)
        watch->maximize = ((const qs_metric_kind *)kind)->maximize;
    else if (!qs_kind_find(&qs_loss_registry, metric))
        return qs_fail(err, QS_E_ARG,
                       "whether a larger '%s' is better is not known; add mode=max or mode=min",
                       watch->name);
    return QS_OK;
}

qs_status qs_watch_resolve(qs_watch *watch, const qs_scores *scores, bool has_valid, qs_error *err)
{
    const bool valid = !strncmp(watch->name, "val_", 4);
    const char *name = watch->name + (valid ? 4 : 0);
    int metric = strcmp(name, "loss") ? 0 : -1;
    while (metric >= 0 && metric < scores->metrics && strcmp(scores->name[metric], name))
        metric++;
    if (metric == scores->metrics || (valid && !has_valid))
        return unknown_score(watch->name, scores, has_valid, err);
    watch->valid = valid;
    watch->metric = metric;
    return resolve_direction(watch, name, err);
}

double qs_watch_value(const qs_watch *watch, const qs_epoch *epoch)
{
    const qs_scores *scores = watch->valid ? &epoch->valid : &epoch->train;
    return watch->metric < 0 ? scores->loss : scores->value[watch->metric];
}

static bool better(const qs_watch *watch, double value, double reference)
{
    const double delta = watch->maximize ? watch->min_delta : -watch->min_delta;
    const float reached = (float)((double)(float)value - delta);
    return watch->maximize ? reached > (float)reference : reached < (float)reference;
}

static bool improve(const qs_watch *watch, qs_watch_state *state, double value)
{
    if (state->has_best && !better(watch, value, state->best))
        return false;
    state->has_best = true;
    state->best = value;
    return true;
}

bool qs_early_stop_epoch(const qs_early_stop *stop, qs_watch_state *state, size_t epoch,
                         double value)
{
    if (epoch <= stop->start_from_epoch)
        return false;
    state->wait++;
    if (improve(&stop->watch, state, value)) {
        state->best_epoch = epoch;
        if (!stop->has_baseline || better(&stop->watch, value, stop->baseline))
            state->wait = 0;
        return true;
    }
    state->stopped = state->wait >= stop->patience && epoch > 1;
    return false;
}

double qs_plateau_epoch(const qs_plateau *plateau, qs_watch_state *state, double value, double rate)
{
    if (state->cooldown) {
        state->cooldown--;
        state->wait = 0;
    }
    if (improve(&plateau->watch, state, value)) {
        state->wait = 0;
        return rate;
    }
    if (state->cooldown || ++state->wait < plateau->patience ||
        !((float)rate > (float)plateau->min_lr))
        return rate;
    state->cooldown = plateau->cooldown;
    state->wait = 0;
    return fmax(rate * plateau->factor, plateau->min_lr);
}
