/* SPDX-License-Identifier: MIT */
/* state_json.c - the scalars of a checkpoint as JSON; doubles come back the same. */
#include "train/state_json.h"

#include <string.h>

#include "base/alloc.h"

enum { VERSION = 1, DIGITS = 17 };

static json_t *whole(size_t n)
{
    return json_integer((json_int_t)n);
}

static json_t *watch_json(const qs_watch_state *w)
{
    return json_pack("{s:b, s:b, s:f, s:o, s:o, s:o}", "has_best", w->has_best, "stopped",
                     w->stopped, "best", w->has_best ? w->best : 0.0, "best_epoch",
                     whole(w->best_epoch), "wait", whole(w->wait), "cooldown", whole(w->cooldown));
}

static json_t *metric_json(const qs_sums *sums)
{
    json_t *metric = json_array();
    for (int i = 0; i < QS_MAX_METRICS; i++)
        if (json_array_append_new(metric,
                                  json_pack("[f, f]", sums->metric[i][0], sums->metric[i][1]))) {
            json_decref(metric);
            return NULL;
        }
    return metric;
}

static json_t *sums_json(const qs_sums *sums)
{
    return json_pack("{s:f, s:f, s:o, s:o, s:o}", "loss", sums->loss, "weight", sums->weight,
                     "metric", metric_json(sums), "steps", whole(sums->steps), "samples",
                     whole(sums->samples));
}

static json_t *optim_json(const qs_optim_state *optim)
{
    return json_pack("{s:b, s:o, s:f, s:f, s:i}", "present", optim->present, "iterations",
                     whole(optim->iterations), "learning_rate", optim->learning_rate, "scalar",
                     optim->scalar, "slots", optim->slots);
}

char *qs_state_json_write(const qs_run_state *state, const qs_optim_state *optim, json_t *settings)
{
    json_t *copy = json_deep_copy(settings);
    json_t *all =
        json_pack("{s:i, s:o, s:o, s:f, s:f, s:f, s:b, s:f, s:o, s:o, s:o, s:o}", "version",
                  VERSION, "settings", copy, "steps", whole(state->steps), "rate", state->rate,
                  "train_s", state->train_s, "waiting_s", state->waiting_s, "has_best",
                  state->has_best, "best", state->has_best ? state->best : 0.0, "sums",
                  sums_json(&state->sums), "early_stop", watch_json(&state->early), "reduce_lr",
                  watch_json(&state->plateau), "optimizer", optim_json(optim));
    const size_t flags = JSON_COMPACT | JSON_REAL_PRECISION(DIGITS);
    const size_t bytes = all ? json_dumpb(all, NULL, 0, flags) : 0;
    char *text = bytes ? qs_malloc(bytes + 1) : NULL;
    const bool written = text && json_dumpb(all, text, bytes, flags) == bytes;
    json_decref(all);
    if (written) {
        text[bytes] = 0;
        return text;
    }
    qs_free(text);
    return NULL;
}

/* Reading keeps the first thing that is wrong, so that callers need not ask after each. */
typedef struct reader {
    const char *wrong;
} reader;

static const json_t *member(reader *r, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!value && !r->wrong)
        r->wrong = key;
    return value;
}

static double real(reader *r, const json_t *object, const char *key)
{
    const json_t *value = member(r, object, key);
    if (value && !json_is_number(value) && !r->wrong)
        r->wrong = key;
    return json_number_value(value);
}

static size_t count(reader *r, const json_t *object, const char *key)
{
    const json_t *value = member(r, object, key);
    if ((!json_is_integer(value) || json_integer_value(value) < 0) && !r->wrong)
        r->wrong = key;
    return r->wrong ? 0 : (size_t)json_integer_value(value);
}

static bool truth(reader *r, const json_t *object, const char *key)
{
    return json_is_true(member(r, object, key));
}

static void read_watch(reader *r, const json_t *json, qs_watch_state *out)
{
    out->has_best = truth(r, json, "has_best");
    out->stopped = truth(r, json, "stopped");
    out->best = real(r, json, "best");
    out->best_epoch = count(r, json, "best_epoch");
    out->wait = count(r, json, "wait");
    out->cooldown = count(r, json, "cooldown");
}

static void read_sums(reader *r, const json_t *json, qs_sums *out)
{
    const json_t *metric = member(r, json, "metric");
    out->loss = real(r, json, "loss");
    out->weight = real(r, json, "weight");
    out->steps = count(r, json, "steps");
    out->samples = count(r, json, "samples");
    for (size_t i = 0; i < QS_MAX_METRICS; i++)
        for (size_t k = 0; k < 2; k++)
            out->metric[i][k] = json_number_value(json_array_get(json_array_get(metric, i), k));
}

static void read_optim(reader *r, const json_t *json, qs_optim_state *out)
{
    out->present = truth(r, json, "present");
    out->iterations = count(r, json, "iterations");
    out->learning_rate = real(r, json, "learning_rate");
    out->scalar = real(r, json, "scalar");
    const size_t slots = count(r, json, "slots");
    if (slots > QS_STATE_SLOTS && !r->wrong)
        r->wrong = "slots";
    out->slots = r->wrong ? 0 : (int)slots;
}

static qs_status compare(const json_t *saved, json_t *settings, qs_error *err)
{
    const char *key;
    json_t *value;
    json_object_foreach (settings, key, value) {
        const char *now = json_string_value(value);
        const char *then = json_string_value(json_object_get(saved, key));
        if (!then || strcmp(now, then))
            return qs_fail(err, QS_E_ARG,
                           "%s is %.150s here and %.150s in the run; give the same %s, or start a "
                           "new run without --resume",
                           key, now, then ? then : "not recorded", key);
    }
    return QS_OK;
}

static qs_status read_all(const json_t *all, json_t *settings, qs_run_state *state,
                          qs_optim_state *optim, qs_error *err)
{
    reader r = {0};
    if (json_integer_value(json_object_get(all, "version")) != VERSION)
        return qs_fail(err, QS_E_FORMAT, "it is of version %lld; this program reads version %d",
                       (long long)json_integer_value(json_object_get(all, "version")), VERSION);
    QS_TRY(compare(json_object_get(all, "settings"), settings, err));
    state->steps = count(&r, all, "steps");
    state->rate = real(&r, all, "rate");
    state->train_s = real(&r, all, "train_s");
    state->waiting_s = real(&r, all, "waiting_s");
    state->has_best = truth(&r, all, "has_best");
    state->best = real(&r, all, "best");
    read_sums(&r, member(&r, all, "sums"), &state->sums);
    read_watch(&r, member(&r, all, "early_stop"), &state->early);
    read_watch(&r, member(&r, all, "reduce_lr"), &state->plateau);
    read_optim(&r, member(&r, all, "optimizer"), optim);
    if (r.wrong)
        return qs_fail(err, QS_E_FORMAT, "'%s' is missing or not what it should be", r.wrong);
    return QS_OK;
}

qs_status qs_state_json_read(const char *text, json_t *settings, qs_run_state *state,
                             qs_optim_state *optim, qs_error *err)
{
    json_error_t where;
    json_t *all = json_loads(text, 0, &where);
    if (!all)
        return qs_fail(err, QS_E_FORMAT, "its state is not JSON at byte %d: %s", where.position,
                       where.text);
    const qs_status status = read_all(all, settings, state, optim, err);
    json_decref(all);
    return status;
}
