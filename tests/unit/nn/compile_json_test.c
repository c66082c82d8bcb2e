/* SPDX-License-Identifier: MIT */
/* compile_json_test.c - what Keras wrote into every fixture's compile.json is understood. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nn/loss.h"
#include "nn/metric.h"
#include "nn/optim.h"
#include "specs.h"

static json_t *load(const char *name, const char *file)
{
    char path[4096];
    const char *shared = getenv("QS_SHARED"), *source = getenv("QS_SOURCE");
    snprintf(path, sizeof path, "%s%s/golden/%s%s",
             shared   ? shared
             : source ? source
                      : ".",
             shared ? "" : "/../shared", name, file);
    return json_load_file(path, 0, NULL);
}

static const char *name_of(const json_t *entry)
{
    return json_is_string(entry) ? json_string_value(entry)
                                 : json_string_value(json_object_get(entry, "name"));
}

static void must_read(qs_arena *arena, const qs_registry *in, const json_t *json, const char *name)
{
    const qs_spec *spec = NULL;
    qs_error err = {0};
    cr_expect_eq(qs_spec_read(arena, in, json, &spec, &err), QS_OK, "%s: %s", name, err.text);
}

static void check(const char *name)
{
    qs_arena arena = {0};
    json_t *compile = load(name, "/compile.json"), *metric;
    size_t i;
    cr_assert_not_null(compile, "%s", name);
    must_read(&arena, &qs_loss_registry, json_object_get(compile, "loss"), name);
    must_read(&arena, &qs_optim_registry, json_object_get(compile, "optimizer"), name);
    json_array_foreach (json_object_get(compile, "metrics"), i, metric)
        must_read(&arena, &qs_metric_registry, metric, name);
    json_array_foreach (json_object_get(compile, "weighted_metrics"), i, metric)
        must_read(&arena, &qs_metric_registry, metric, name);
    json_decref(compile);
    qs_arena_free(&arena);
}

Test(compile_json, every_fixture_is_understood)
{
    qs_json_setup();
    json_t *index = load("", "index.json"), *entry;
    size_t i;
    if (!index)
        cr_skip_test("no golden fixtures here");
    json_t *list = json_is_array(index) ? index : json_object_get(index, "fixtures");
    cr_assert_gt(json_array_size(list), 100);
    json_array_foreach (list, i, entry)
        check(name_of(entry));
    json_decref(index);
}
