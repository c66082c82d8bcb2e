/* SPDX-License-Identifier: MIT */
/* keras_compile.c - what compile() was given, from and to the model's settings. */
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "format/keras_config.h"
#include "nn/loss.h"
#include "nn/metric.h"
#include "nn/optim.h"
#include "nn/schedule.h"

static qs_status set_spec(qs_model *model, const char *key, const qs_registry *in,
                          const json_t *json, qs_error *err)
{
    qs_arena arena = {.block_bytes = 4096};
    const qs_spec *spec = NULL;
    qs_status status = qs_spec_read(&arena, in, json, &spec, err);
    if (status == QS_OK && spec) {
        char *text = qs_spec_text(spec);
        status = text ? qs_model_set(model, key, text, err) : qs_fail_memory(err, 64, key);
        qs_free(text);
    }
    qs_arena_free(&arena);
    return qs_context(err, status, "%s", key);
}

static bool is_text(const json_t *json, const char *text)
{
    return json_is_string(json) && !strcmp(json_string_value(json), text);
}

/* What Keras 2 wrote otherwise: "auto" is the mean over the batch, "fn" the function by name. */
static void update_loss(json_t *loss)
{
    json_t *config = json_object_get(loss, "config");
    const char *fn = json_string_value(json_object_get(config, "fn"));
    const char *class_name = json_string_value(json_object_get(loss, "class_name"));
    if (is_text(json_object_get(config, "reduction"), "auto"))
        json_object_del(config, "reduction");
    if (fn && class_name &&
        qs_kind_find(&qs_loss_registry, fn) == qs_kind_find(&qs_loss_registry, class_name))
        json_object_del(config, "fn");
}

/* The one loss of a model with one output, which may stand in a list. */
static qs_status read_loss(qs_model *model, const json_t *loss, qs_error *err)
{
    if (!loss || json_is_null(loss))
        return QS_OK;
    if (json_array_size(loss) == 1)
        loss = json_array_get(loss, 0);
    json_t *copy = json_deep_copy(loss);
    update_loss(copy);
    const qs_status status = set_spec(model, "loss", &qs_loss_registry, copy, err);
    json_decref(copy);
    return status;
}

static void rename_key(json_t *config, const char *old, const char *now)
{
    json_t *value = json_object_get(config, old);
    if (value)
        json_object_set(config, now, value);
    json_object_del(config, old);
}

/* Optimizers of before Keras 3 and tf.keras 2.11 all have a decay. Of Nadam it is the speed of the
 * momentum's schedule; those of stand-alone Keras, which have no name, clip by one norm over all. */
static qs_status update_legacy(json_t *config, const char *class_name, qs_error *err)
{
    const bool stand_alone = !json_object_get(config, "name");
    if (!strcmp(class_name, "RMSprop"))
        return qs_fail(err, QS_E_UNSUPPORTED,
                       "no support for RMSprop of Keras 2, which adds epsilon outside the root");
    if (!strcmp(class_name, "Nadam") && json_object_get(config, "decay"))
        rename_key(config, "decay", "schedule_decay");
    if (json_number_value(json_object_get(config, "decay")) == 0)
        json_object_del(config, "decay");
    if (stand_alone)
        rename_key(config, "clipnorm", "global_clipnorm");
    return QS_OK;
}

/* What was written otherwise before Keras 3, and what changes nothing because the thing it belongs
 * to is off. */
static qs_status update_optimizer(json_t *optimizer, qs_error *err)
{
    static const char custom[] = "Custom>"; /* tf.keras 2.11 registered its own ones so */
    json_t *config = json_object_get(optimizer, "config");
    const char *class_name = json_string_value(json_object_get(optimizer, "class_name"));
    if (!json_is_object(config) || !class_name)
        return QS_OK;
    if (!strncmp(class_name, custom, strlen(custom)))
        class_name += strlen(custom);
    rename_key(config, "lr", "learning_rate");
    if (json_object_get(config, "decay") || json_object_get(config, "schedule_decay"))
        QS_TRY(update_legacy(config, class_name, err));
    if (!json_is_true(json_object_get(config, "use_ema")))
        json_object_del(config, "ema_overwrite_frequency");
    json_object_del(config, "name"); /* "nadam_1": counted by Keras, not given */
    json_object_set_new(optimizer, "class_name", json_string(class_name));
    return QS_OK;
}

static qs_status read_optimizer(qs_model *model, const json_t *optimizer, qs_error *err)
{
    if (!optimizer || json_is_null(optimizer))
        return QS_OK;
    json_t *copy = json_deep_copy(optimizer);
    qs_status status = update_optimizer(copy, err);
    if (status == QS_OK)
        status = set_spec(model, "optimizer", &qs_optim_registry, copy, err);
    json_decref(copy);
    return status;
}

/* tf.keras wraps a function as {"class_name": "MeanMetricWrapper", "config": {"fn": NAME}}. */
static const json_t *unwrap_metric(const json_t *metric)
{
    const char *name = json_string_value(json_object_get(metric, "class_name"));
    const json_t *fn = json_object_get(json_object_get(metric, "config"), "fn");
    return name && !strcmp(name, "MeanMetricWrapper") && json_is_string(fn) ? fn : metric;
}

/* The text of one metric after those in *list, which it takes and gives. */
static qs_status add_metric(const json_t *metric, char **list, qs_error *err)
{
    qs_arena arena = {.block_bytes = 4096};
    const qs_spec *spec = NULL;
    const qs_status status =
        qs_spec_read(&arena, &qs_metric_registry, unwrap_metric(metric), &spec, err);
    if (status == QS_OK && spec) {
        char *text = json_is_string(metric) ? qs_strdup(json_string_value(metric)) /* "mae" stays */
                                            : qs_spec_text(spec);
        char *longer = text && *list ? qs_format("%s%s%s", *list, **list ? "," : "", text) : NULL;
        qs_free(text);
        qs_free(*list);
        *list = longer;
    }
    qs_arena_free(&arena);
    return status == QS_OK && !*list ? qs_fail_memory(err, 64, "metrics") : status;
}

static qs_status add_metrics(const json_t *metrics, char **list, qs_error *err)
{
    if (json_is_string(metrics) || json_is_object(metrics))
        return add_metric(metrics, list, err);
    for (size_t i = 0; i < json_array_size(metrics); i++) {
        const json_t *item = json_array_get(metrics, i);
        if (json_array_size(item) > 0 && json_is_array(json_array_get(item, 0)))
            return qs_fail(err, QS_E_FORMAT, "metrics are nested too deeply");
        QS_TRY(json_is_array(item) ? add_metrics(item, list, err) : add_metric(item, list, err));
    }
    return QS_OK;
}

static qs_status read_metrics(qs_model *model, const char *key, const json_t *metrics,
                              qs_error *err)
{
    char *list = qs_strdup("");
    if (!list)
        return qs_fail_memory(err, 64, key);
    qs_status status = qs_context(err, add_metrics(metrics, &list, err), "%s", key);
    if (status == QS_OK && list && *list)
        status = qs_model_set(model, key, list, err);
    qs_free(list);
    return status;
}

qs_status qs_keras_compiled(qs_model *model, const json_t *compiled, qs_error *err)
{
    const json_t *optimizer = json_object_get(compiled, "optimizer");
    const json_t *weights = json_object_get(compiled, "loss_weights");
    if (!optimizer)
        optimizer = json_object_get(compiled, "optimizer_config");
    if (weights && !json_is_null(weights))
        return qs_fail(err, QS_E_UNSUPPORTED, "no support for compile's loss_weights");
    QS_TRY(qs_context(err, read_loss(model, json_object_get(compiled, "loss"), err), "compiled"));
    QS_TRY(qs_context(err, read_optimizer(model, optimizer, err), "compiled"));
    QS_TRY(read_metrics(model, "metrics", json_object_get(compiled, "metrics"), err));
    return read_metrics(model, "weighted_metrics", json_object_get(compiled, "weighted_metrics"),
                        err);
}

/* A name where all arguments are presets: "accuracy" has no class that means the same. */
static json_t *named_json(qs_arena *arena, const qs_registry *in, const char *text)
{
    const qs_spec *spec;
    if (qs_spec_parse(arena, in, text, &spec, NULL) != QS_OK || !spec)
        return json_null();
    char *short_text = qs_spec_text(spec);
    json_t *json = short_text && !strchr(short_text, ':') ? json_string(spec->kind->name)
                                                          : qs_spec_keras(in, spec);
    qs_free(short_text);
    return json;
}

static json_t *metrics_json(qs_arena *arena, const char *text)
{
    if (!text || !*text)
        return json_null();
    json_t *list = json_array();
    const char *part;
    size_t n;
    while (list && qs_spec_next(&text, &part, &n)) {
        char *one = qs_strndup(part, n);
        /* a plain word stays: it is the metric's name in the history */
        json_array_append_new(list, !one               ? NULL
                                    : strchr(one, ':') ? named_json(arena, &qs_metric_registry, one)
                                                       : json_string(one));
        qs_free(one);
    }
    return list;
}

static json_t *rate_json(qs_arena *arena, const char *text)
{
    double rate;
    const qs_spec *schedule;
    if (qs_number_parse(text, strlen(text), &rate))
        return json_real(rate);
    if (qs_spec_parse(arena, &qs_schedule_registry, text, &schedule, NULL) != QS_OK)
        return NULL;
    return qs_spec_keras(&qs_schedule_registry, schedule);
}

static json_t *optimizer_json(const qs_model *model, qs_arena *arena, const char *text)
{
    const qs_spec *spec;
    const char *rate = qs_model_setting(model, "learning_rate");
    if (qs_spec_parse(arena, &qs_optim_registry, text, &spec, NULL) != QS_OK || !spec)
        return NULL;
    json_t *json = qs_spec_keras(&qs_optim_registry, spec);
    if (rate)
        json_object_set_new(json_object_get(json, "config"), "learning_rate",
                            rate_json(arena, rate));
    return json;
}

json_t *qs_keras_compile_json(const qs_model *model, const char *optimizer)
{
    qs_json_setup();
    const char *text = qs_model_setting(model, "optimizer");
    const char *loss = qs_model_setting(model, "loss");
    if (!text || !loss)
        return json_object();
    qs_arena arena = {.block_bytes = 4096};
    json_t *json = json_pack(
        "{s:o, s:o, s:n, s:o, s:o, s:b, s:i, s:b}", optimizer, optimizer_json(model, &arena, text),
        "loss", named_json(&arena, &qs_loss_registry, loss), "loss_weights", "metrics",
        metrics_json(&arena, qs_model_setting(model, "metrics")), "weighted_metrics",
        metrics_json(&arena, qs_model_setting(model, "weighted_metrics")), "run_eagerly", 0,
        "steps_per_execution", 1, "jit_compile", 0);
    qs_arena_free(&arena);
    return json;
}
