/* SPDX-License-Identifier: MIT */
/* keras_json_test.c - models as Keras 2 and 3 write them; what is no chain is refused by name. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "files.h"
#include "format/format.h"
#include "format/keras_config.h"
#include "nn/spec.h"

static qs_status read_json(const char *text, qs_model **out, qs_error *err)
{
    return qs_file_format_of("x.json")->read((const unsigned char *)text, strlen(text), out, err);
}

/* The first layer of a fixture that is not supported; NULL: all are. */
static const char *unsupported(const json_t *model)
{
    const json_t *layers = json_object_get(json_object_get(model, "config"), "layers");
    for (size_t i = 0; i < json_array_size(layers); i++) {
        const char *name =
            json_string_value(json_object_get(json_array_get(layers, i), "class_name"));
        if (strcmp(name, "InputLayer") && !qs_kind_find(&qs_layer_registry, name))
            return name;
    }
    return NULL;
}

static void check_supported(const char *path, const char *name)
{
    char copy[PATH_TEXT];
    qs_model *model = open_model(path);
    qs_error err = {0};
    cr_assert_eq(qs_model_save(model, temporary("m.json", copy), 0, &err), QS_OK, "%s", err.text);
    qs_model *again = open_model(copy);
    remove(copy);
    expect_same_layers(model, again, name);
    qs_model_close(model);
    qs_model_close(again);
}

static void check_fixture(const char *name)
{
    char file[256], path[PATH_TEXT];
    snprintf(file, sizeof file, "%s/model.json", name);
    json_t *json = json_load_file(shared_path(file, path), 0, NULL);
    cr_assert_not_null(json, "%s", path);
    const char *other = unsupported(json);
    if (!other) {
        check_supported(path, name);
    } else {
        qs_model *model = NULL;
        qs_error err = {0};
        cr_expect_eq(qs_model_open(path, &model, &err), QS_E_UNSUPPORTED, "%s", name);
        cr_expect_not_null(strstr(err.text, other), "%s: '%s' does not name %s", name, err.text,
                           other);
    }
    json_decref(json);
}

Test(keras_json, every_fixture_opens_or_names_what_is_not_supported)
{
    char path[PATH_TEXT];
    need_fixtures();
    qs_json_setup();
    json_t *index = json_load_file(shared_path("index.json", path), 0, NULL);
    json_t *list = json_is_array(index) ? index : json_object_get(index, "fixtures");
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(list); i++, n++) {
        const json_t *entry = json_array_get(list, i);
        check_fixture(json_is_string(entry) ? json_string_value(entry)
                                            : json_string_value(json_object_get(entry, "name")));
    }
    cr_expect_gt(n, 100u);
    json_decref(index);
}

Test(keras_json, compile_config_becomes_settings)
{
    char path[PATH_TEXT];
    need_fixtures();
    qs_model *model = open_model(shared_path("net_compiled_json/model.json", path));
    cr_expect_str_eq(qs_model_setting(model, "loss"), "categorical_crossentropy");
    cr_expect_str_eq(qs_model_setting(model, "metrics"), "accuracy");
    cr_expect_str_eq(qs_model_setting(model, "optimizer"),
                     "adam:learning_rate=0.009999999776482582");
    qs_model_close(model);
}

/* As stand-alone Keras 2.2.4 wrote a functional model. */
Test(keras_json, keras_2_functional)
{
    static const char text[] =
        "{'class_name': 'Model', 'config': {'name': 'model_1', 'layers': ["
        "{'name': 'input_1', 'class_name': 'InputLayer', 'config': {'batch_input_shape': [null, "
        "3], "
        "'dtype': 'float32', 'sparse': false, 'name': 'input_1'}, 'inbound_nodes': []}, "
        "{'name': 'd', 'class_name': 'Dense', 'config': {'name': 'd', 'trainable': false, 'units': "
        "4, "
        "'activation': 'tanh', 'use_bias': true, 'kernel_initializer': {'class_name': "
        "'VarianceScaling', 'config': {'scale': 1.0, 'mode': 'fan_avg', 'distribution': 'uniform', "
        "'seed': null}}, 'bias_initializer': {'class_name': 'Zeros', 'config': {}}, "
        "'kernel_regularizer': {'class_name': 'L1L2', 'config': {'l1': 0.0, 'l2': 0.01}}, "
        "'bias_regularizer': null, 'activity_regularizer': null, 'kernel_constraint': null, "
        "'bias_constraint': null}, 'inbound_nodes': [[['input_1', 0, 0, {}]]]}, "
        "{'name': 'leaky_re_lu_1', 'class_name': 'LeakyReLU', 'config': {'name': 'leaky_re_lu_1', "
        "'trainable': true, 'alpha': 0.1}, 'inbound_nodes': [[['d', 0, 0, {}]]]}], "
        "'input_layers': [['input_1', 0, 0]], 'output_layers': [['leaky_re_lu_1', 0, 0]]}, "
        "'keras_version': '2.2.4', 'backend': 'tensorflow'}";
    char json[sizeof text];
    for (size_t i = 0; i < sizeof text; i++)
        json[i] = text[i] == '\'' ? '"' : text[i];
    qs_model *model = NULL;
    qs_error err = {0};
    cr_assert_eq(read_json(json, &model, &err), QS_OK, "%s", err.text);
    cr_expect_str_eq(model->input_name, "input_1");
    cr_expect_eq(model->layers, 2);
    cr_expect_not(model->layer[0].trainable);
    cr_expect_str_eq(model->layer[1].options, "0.1");
    qs_model_close(model);
}

typedef struct compiled {
    const char text[900], loss[64], optimizer[96], metrics[64];
} compiled;

/* As tf.keras 2.15, its legacy optimizers and stand-alone Keras 2.3 wrote them. */
ParameterizedTestParameters(keras_json, compiled_before_keras_3)
{
    static compiled all[] = {
        {"{'optimizer_config': {'class_name': 'Custom>Adam', 'config': {'name': 'Adam', "
         "'weight_decay': null, 'clipnorm': null, 'global_clipnorm': null, 'clipvalue': null, "
         "'use_ema': false, 'ema_momentum': 0.99, 'ema_overwrite_frequency': 100, 'jit_compile': "
         "false, 'is_legacy_optimizer': false, 'learning_rate': 0.5, 'beta_1': 0.9, 'beta_2': "
         "0.999, "
         "'epsilon': 1e-07, 'amsgrad': false}}, 'loss': {'class_name': 'CategoricalCrossentropy', "
         "'config': {'reduction': 'auto', 'name': 'categorical_crossentropy', 'from_logits': true, "
         "'label_smoothing': 0.0, 'axis': -1, 'fn': 'categorical_crossentropy'}}, 'metrics': "
         "[[{'class_name': 'MeanMetricWrapper', 'config': {'name': 'accuracy', 'dtype': 'float32', "
         "'fn': 'categorical_accuracy'}}]], 'loss_weights': null}",
         "categorical_crossentropy:from_logits=true", "adam:learning_rate=0.5",
         "categorical_accuracy"},
        {"{'optimizer_config': {'class_name': 'Nadam', 'config': {'name': 'Nadam', "
         "'learning_rate': "
         "0.5, 'decay': 0.004, 'beta_1': 0.9, 'beta_2': 0.999, 'epsilon': 1e-07, "
         "'is_legacy_optimizer': true}}, 'loss': 'mse', 'metrics': ['mean_absolute_error'], "
         "'sample_weight_mode': "
         "null}",
         "mean_squared_error", "nadam:schedule_decay=0.004,learning_rate=0.5",
         "mean_absolute_error"},
        {"{'optimizer_config': {'class_name': 'SGD', 'config': {'lr': 0.5, 'decay': 0.0, "
         "'momentum': "
         "0.0, 'nesterov': false, 'clipnorm': 2.0}}, 'loss': ['mse'], 'metrics': []}",
         "mean_squared_error", "sgd:learning_rate=0.5,global_clipnorm=2", ""},
    };
    return cr_make_param_array(compiled, all, sizeof all / sizeof *all);
}

static void expect_setting(const qs_model *model, const char *key, const char *want)
{
    const char *got = qs_model_setting(model, key);
    cr_expect_str_eq(got ? got : "", want, "%s is '%s', not '%s'", key, got ? got : "", want);
}

static json_t *json_of(const char *quoted)
{
    char text[1024];
    snprintf(text, sizeof text, "%s", quoted);
    for (char *c = text; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    json_t *json = json_loads(text, 0, NULL);
    cr_assert_not_null(json, "%s", text);
    return json;
}

ParameterizedTest(const compiled *one, keras_json, compiled_before_keras_3)
{
    qs_json_setup();
    char path[PATH_TEXT];
    qs_error err = {0};
    qs_model *model = parse_recipe("model: [input: 3, dense: 2]\n");
    json_t *json = json_of(one->text);
    cr_assert_eq(qs_keras_compiled(model, json, &err), QS_OK, "%s", err.text);
    json_decref(json);
    cr_assert_eq(qs_model_save(model, temporary("old.json", path), 1, NULL), QS_OK);
    qs_model *again = open_model(path); /* nothing that Keras 3 has no place for is lost */
    remove(path);
    for (int i = 0; i < 2; i++) {
        expect_setting(i ? again : model, "loss", one->loss);
        expect_setting(i ? again : model, "optimizer", one->optimizer);
        expect_setting(i ? again : model, "metrics", one->metrics);
    }
    qs_model_close(model);
    qs_model_close(again);
}

Test(keras_json, rmsprop_of_keras_2_is_refused)
{
    qs_json_setup();
    qs_error err = {0};
    qs_model *model = parse_recipe("model: [input: 3, dense: 2]\n");
    json_t *json = json_of("{'optimizer_config': {'class_name': 'RMSprop', 'config': {'lr': 0.5, "
                           "'decay': 0.0, 'rho': 0.9, 'epsilon': 1e-07}}, 'loss': 'mse'}");
    cr_expect_eq(qs_keras_compiled(model, json, &err), QS_E_UNSUPPORTED);
    cr_expect_not_null(strstr(err.text, "RMSprop of Keras 2"), "%s", err.text);
    json_decref(json);
    qs_model_close(model);
}

#define INPUT(name)                                                                                \
    "{\"class_name\": \"InputLayer\", \"name\": \"" name "\", \"config\": {\"name\": \"" name      \
    "\", \"batch_shape\": [null, 3], \"dtype\": \"float32\"}, \"inbound_nodes\": []}"
#define DENSE(name, nodes)                                                                         \
    "{\"class_name\": \"Dense\", \"name\": \"" name "\", \"config\": {\"name\": \"" name           \
    "\", \"units\": 3}, \"inbound_nodes\": [" nodes "]}"
#define FROM(name) "[[\"" name "\", 0, 0, {}]]"
#define MODEL(layers, end)                                                                         \
    "{\"class_name\": \"Functional\", \"config\": {\"name\": \"m\", \"layers\": [" layers          \
    "], \"input_layers\": [\"i\", 0, 0], \"output_layers\": [\"" end "\", 0, 0]}}"
#define SEQUENTIAL(layers)                                                                         \
    "{\"class_name\": \"Sequential\", \"config\": {\"name\": \"m\", \"layers\": [" layers "]}}"

typedef struct refusal {
    const char text[1024], message[96];
} refusal;

ParameterizedTestParameters(keras_json, refused_by_name)
{
    static refusal all[] = {
        {MODEL(INPUT("i") "," DENSE("a", FROM("i")) "," DENSE("b", FROM("a")) "," DENSE("c",
                                                                                        FROM("a")),
               "c"),
         "'a' feeds 'b' and 'c' (a branch)"},
        {MODEL(INPUT("i") "," DENSE("a", FROM("i") "," FROM("a")), "a"), "'a' is shared, used 2"},
        {MODEL(INPUT("i") "," INPUT("j") "," DENSE("a", FROM("i")), "a"), "several inputs"},
        {MODEL(INPUT("i") "," DENSE("a", FROM("i")) "," DENSE("b", FROM("a")), "a"),
         "output is 'a' but its chain of layers ends in 'b'"},
        {MODEL(INPUT("i") "," DENSE("a", FROM("b")) "," DENSE("b", FROM("a")), "b"), "chain"},
        {MODEL(INPUT("i") "," DENSE("a", "[[\"i\", 0, 0, {}], [\"i\", 0, 0, {}]]"), "a"),
         "'a' has several inputs"},
        {MODEL(INPUT("i") "," DENSE("a", "[[\"i\", 0, 0, {\"training\": true}]]"), "a"),
         "'training'"},
        {SEQUENTIAL(DENSE("a", "")), "input has no shape"},
        {SEQUENTIAL("{\"class_name\": \"Lambda\", \"config\": {\"name\": \"l\"}}"), "'Lambda'"},
        {SEQUENTIAL("{\"class_name\": \"Sequential\", \"config\": {\"name\": \"s\"}}"),
         "'Sequential'"},
        {"{\"class_name\": \"MyModel\", \"config\": {\"layers\": []}}", "'MyModel'"},
        {SEQUENTIAL(
             "{\"class_name\": \"InputLayer\", \"config\": {\"name\": \"i\", \"batch_shape\": "
             "[null, null], \"dtype\": \"float32\"}}, " DENSE("a", "")),
         "axis 1 of the input"},
        {SEQUENTIAL(
             "{\"class_name\": \"InputLayer\", \"config\": {\"name\": \"i\", \"batch_shape\": "
             "[null, 3], \"dtype\": \"int32\"}}, " DENSE("a", "")),
         "dtype int32"},
        {SEQUENTIAL(
             INPUT("i") ", {\"class_name\": \"Dense\", \"config\": {\"name\": \"a\", \"units\": "
                        "3, \"dtype\": {\"class_name\": \"DTypePolicy\", \"config\": {\"name\": "
                        "\"mixed_float16\"}}}}"),
         "layer 'a': dense: no support for dtype mixed_float16"},
        {"{\"config\": 3}", "class"},
        {"[1, 2]", "not a Keras model"},
        {"{\"class_name\": \"Sequential\", \"class_name\": 3}", "duplicate"},
        {"{\"class_name\": ", "line 1"},
    };
    return cr_make_param_array(refusal, all, sizeof all / sizeof *all);
}

ParameterizedTest(const refusal *one, keras_json, refused_by_name)
{
    qs_model *model = NULL;
    qs_error err = {0};
    const qs_status status = read_json(one->text, &model, &err);
    cr_expect_eq(qs_status_exit(status), 2, "%d: %s", status, err.text);
    cr_expect_not_null(strstr(err.text, one->message), "'%s' is not in: %s", one->message,
                       err.text);
    cr_expect_null(model);
}
