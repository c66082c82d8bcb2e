/* SPDX-License-Identifier: MIT */
/* spec_test.c - the three spellings of a name with arguments say the same. */
#include "nn/spec.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

typedef struct spelling {
    const char registry[16], text[128], recipe[128], keras[512];
} spelling;

ParameterizedTestParameters(spec, spellings_agree)
{
    static spelling all[] = {
        {"layers", "dropout:rate=0.2", "{\"dropout\": 0.2}",
         "{\"class_name\": \"Dropout\", \"config\": {\"name\": \"d\", \"trainable\": true, "
         "\"dtype\": "
         "\"float32\", \"rate\": 0.2, \"seed\": null, \"noise_shape\": null}}"},
        {"layers", "flatten", "\"flatten\"", "{\"class_name\": \"Flatten\", \"config\": {}}"},
        {"layers", "dense:units=3,activation=relu,kernel_regularizer=(l2:l2=0.5)",
         "{\"dense\": {\"units\": 3, \"activation\": \"relu\", \"kernel_regularizer\": {\"l2\": "
         "0.5}}}",
         "{\"class_name\": \"Dense\", \"config\": {\"units\": 3, \"activation\": \"relu\", "
         "\"kernel_regularizer\": {\"class_name\": \"L2\", \"config\": {\"l2\": 0.5}}}}"},
        {"layers", "reshape:target_shape=[2,-1]", "{\"reshape\": [2, -1]}",
         "{\"class_name\": \"Reshape\", \"config\": {\"target_shape\": [2, -1]}}"},
        {"layers", "rescaling:scale=0.5", "{\"rescaling\": 0.5}",
         "{\"class_name\": \"Rescaling\", \"config\": {\"scale\": 0.5, \"offset\": 0.0}}"},
        {"optimizers", "nadam:learning_rate=0.01,beta_1=0.8",
         "{\"nadam\": {\"learning_rate\": 0.01, \"beta_1\": 0.8}}",
         "{\"class_name\": \"Nadam\", \"config\": {\"learning_rate\": 0.01, \"beta_1\": 0.8}}"},
        {"schedules", "piecewise_constant_decay:boundaries=[1,2],values=[3,2,1]",
         "{\"piecewise_constant_decay\": {\"boundaries\": [1, 2], \"values\": [3, 2, 1]}}",
         "{\"class_name\": \"PiecewiseConstantDecay\", \"config\": {\"boundaries\": [1, 2], "
         "\"values\": [3, 2, 1], \"name\": \"PiecewiseConstant\"}}"},
    };
    return cr_make_param_array(spelling, all, sizeof all / sizeof *all);
}

static char *text_of(qs_arena *arena, const qs_registry *in, json_t *json)
{
    const qs_spec *spec = NULL;
    qs_error err = {0};
    cr_assert_not_null(json);
    cr_assert_eq(qs_spec_read(arena, in, json, &spec, &err), QS_OK, "%s", err.text);
    json_decref(json);
    return qs_spec_text(spec);
}

/* Arguments may come in another order than they were given in: all are compared as written again. */
ParameterizedTest(const spelling *one, spec, spellings_agree)
{
    qs_json_setup();
    qs_arena arena = {0};
    const qs_registry *in = qs_registry_find(one->registry);
    const qs_spec *spec = NULL;
    qs_error err = {0};
    cr_assert_eq(qs_spec_parse(&arena, in, one->text, &spec, &err), QS_OK, "%s", err.text);
    char *want = qs_spec_text(spec);
    char *texts[] = {
        text_of(&arena, in, json_loads(one->recipe, JSON_DECODE_ANY, NULL)),
        text_of(&arena, in, json_loads(one->keras, 0, NULL)),
        text_of(&arena, in, qs_spec_recipe(spec)),
        text_of(&arena, in, qs_spec_keras(in, spec)),
    };
    for (int i = 0; i < 4; i++) {
        cr_expect_str_eq(texts[i], want, "form %d", i);
        qs_free(texts[i]);
    }
    qs_free(want);
    qs_arena_free(&arena);
}

typedef struct refusal {
    const char registry[16], text[192], message[96];
    qs_status status;
} refusal;

ParameterizedTestParameters(spec, refuses_by_name)
{
    static refusal all[] = {
        {"layers", "\"denze\"", "'dense'", QS_E_ARG},
        {"layers", "{\"dense\": {\"unit\": 3}}", "unknown argument 'unit' (did you mean 'units'?)",
         QS_E_ARG},
        {"layers", "{\"dense\": {}}", "needs the argument 'units'", QS_E_ARG},
        {"layers", "{\"dense\": {\"units\": 0}}", "units: must be from 1", QS_E_ARG},
        {"layers", "{\"dense\": {\"units\": 2.5}}", "units: must be an integer", QS_E_ARG},
        {"layers", "{\"dense\": {\"units\": true}}", "units: must be an integer", QS_E_ARG},
        {"layers", "{\"dense\": {\"units\": 3, \"activation\": \"rleu\"}}", "'relu'", QS_E_ARG},
        {"layers", "{\"dropout\": 1.5}", "rate: must be from 0 to 1, not 1.5", QS_E_ARG},
        {"layers", "{\"dropout\": {\"rate\": 0.1}, \"dense\": 3}", "takes one layer", QS_E_ARG},
        {"layers", "{\"class_name\": \"Conv2D\", \"config\": {}}", "'Conv2D'", QS_E_UNSUPPORTED},
        {"layers", "{\"class_name\": \"LSTM\", \"config\": {}}", "'LSTM'", QS_E_UNSUPPORTED},
        {"layers", "{\"class_name\": \"Bidirectional\", \"config\": {}}", "'Bidirectional'",
         QS_E_UNSUPPORTED},
        {"layers",
         "{\"class_name\": \"Dense\", \"module\": \"my.own\", \"config\": {\"units\": 3}}",
         "module 'my.own'", QS_E_UNSUPPORTED},
        {"layers",
         "{\"class_name\": \"Dense\", \"registered_name\": \"p>Dense\", \"config\": {\"units\": "
         "3}}",
         "'p>Dense'", QS_E_UNSUPPORTED},
        {"layers",
         "{\"class_name\": \"Dense\", \"config\": {\"units\": 3, \"dtype\": \"float16\"}}",
         "dtype float16", QS_E_UNSUPPORTED},
        {"layers", "{\"class_name\": \"Dense\", \"config\": {\"units\": 3, \"lora_rank\": 4}}",
         "'lora_rank'", QS_E_UNSUPPORTED},
        {"layers",
         "{\"class_name\": \"Dense\", \"config\": {\"units\": 3, \"quantization_config\": {}}}",
         "quantization_config: {} is not supported", QS_E_UNSUPPORTED},
        {"activations", "{\"class_name\": \"function\", \"config\": \"mine>relu\"}", "'mine>relu'",
         QS_E_UNSUPPORTED},
    };
    return cr_make_param_array(refusal, all, sizeof all / sizeof *all);
}

ParameterizedTest(const refusal *one, spec, refuses_by_name)
{
    qs_json_setup();
    qs_arena arena = {0};
    const qs_spec *spec = NULL;
    qs_error err = {0};
    json_t *json = json_loads(one->text, JSON_DECODE_ANY, NULL);
    cr_assert_not_null(json);
    const qs_status status =
        qs_spec_read(&arena, qs_registry_find(one->registry), json, &spec, &err);
    cr_expect_eq(status, one->status, "%s gave %d: %s", one->text, status, err.text);
    cr_expect_not_null(strstr(err.text, one->message), "'%s' is not in: %s", one->message,
                       err.text);
    cr_expect_null(spec);
    json_decref(json);
    qs_arena_free(&arena);
}

Test(spec, list_is_cut_between_specs)
{
    const char *text = "accuracy,top_k:k=2,name=[1,2],mae", *part;
    const char *const want[] = {"accuracy", "top_k:k=2,name=[1,2]", "mae"};
    size_t n, i = 0;
    for (; qs_spec_next(&text, &part, &n); i++) {
        cr_assert_lt(i, 3u);
        cr_expect_eq(n, strlen(want[i]));
        cr_expect_eq(memcmp(part, want[i], n), 0, "%.*s", (int)n, part);
    }
    cr_expect_eq(i, 3u);
}
