/* SPDX-License-Identifier: MIT */
/* recipe_test.c - a recipe says what it means, and is refused with its line. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "base/alloc.h"
#include "files.h"

static const char full[] =
    "model:\n"
    "  - input: [4, 3]\n"
    "  - flatten\n"
    "  - dense: {units: 6, activation: relu, kernel_regularizer: {l2: 0.01}, name: first}\n"
    "  - batch_normalization: {momentum: 0.9, trainable: false}\n"
    "  - dropout: 0.2\n"
    "  - dense: {units: 2, activation: softmax}\n"
    "data: {train: digits, valid: v.npz, test: t.npz, scale: l2, validation_split: 0.1, shuffle: "
    "false}\n"
    "train:\n"
    "  loss: {categorical_crossentropy: {label_smoothing: 0.1}}\n"
    "  optimizer: {nadam: {learning_rate: 0.01}}\n"
    "  learning_rate: {cosine_decay: {initial_learning_rate: 0.1, decay_steps: 100}}\n"
    "  batch_size: 64\n"
    "  epochs: 3\n"
    "  seed: 7\n"
    "  metrics: [accuracy, {top_k_categorical_accuracy: {k: 2}}]\n"
    "  weighted_metrics: mean_squared_error\n"
    "  early_stopping: {monitor: val_loss, patience: 3, restore_best_weights: true}\n"
    "  reduce_lr: 'loss:factor=0.5'\n"
    "  class_weight: {0: 1.0, 1: 2.5}\n"
    "  precision: f32\n";

static const struct {
    const char *key, *text;
} expected[] = {
    {"data.train", "digits"},
    {"data.valid", "v.npz"},
    {"data.test", "t.npz"},
    {"data.scale", "l2"},
    {"data.validation_split", "0.1"},
    {"data.shuffle", "false"},
    {"loss", "categorical_crossentropy:label_smoothing=0.1"},
    {"optimizer", "nadam:learning_rate=0.01"},
    {"learning_rate", "cosine_decay:initial_learning_rate=0.1,decay_steps=100"},
    {"batch_size", "64"},
    {"epochs", "3"},
    {"seed", "7"},
    {"metrics", "accuracy,top_k_categorical_accuracy:k=2"},
    {"weighted_metrics", "mean_squared_error"},
    {"early_stopping", "val_loss:patience=3,restore_best=true"},
    {"reduce_lr", "loss:factor=0.5"},
    {"class_weight", "0=1,1=2.5"},
    {"precision", "f32"},
};

static void expect_settings(const qs_model *model)
{
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const char *got = qs_model_setting(model, expected[i].key);
        cr_expect(got && !strcmp(got, expected[i].text), "%s is '%s', not '%s'", expected[i].key,
                  got ? got : "(none)", expected[i].text);
    }
}

Test(recipe, settings_are_command_line_text)
{
    qs_model *model = parse_recipe(full);
    expect_settings(model);
    cr_expect_str_eq(model->layer[1].name, "first");
    cr_expect_not(model->layer[2].trainable);
    cr_expect_eq(qs_model_params(model), 12 * 6 + 6 + 4 * 6 + 6 * 2 + 2);
    qs_model_close(model);
}

Test(recipe, written_and_read_it_says_the_same)
{
    char path[PATH_TEXT];
    qs_error err = {0};
    qs_model *model = parse_recipe(full);
    cr_assert_eq(qs_model_save(model, temporary("r.yaml", path), 0, &err), QS_OK, "%s", err.text);
    qs_model *again = open_model(path);
    remove(path);
    expect_same_layers(model, again, "r.yaml");
    expect_settings(again);
    qs_model_close(model);
    qs_model_close(again);
}

/* The model that CONTRACT's table of MODEL names. */
Test(recipe, default_is_the_mission_network)
{
    qs_model *model = open_model(NULL);
    cr_expect_eq(qs_model_params(model), 712010u);
    cr_expect_eq(model->layers, 9);
    cr_expect_str_eq(qs_model_setting(model, "optimizer"), "nadam");
    cr_expect_str_eq(qs_model_setting(model, "loss"), "categorical_crossentropy");
    cr_expect_str_eq(qs_model_setting(model, "batch_size"), "128");
    cr_expect_str_eq(qs_model_setting(model, "epochs"), "10");
    cr_expect_str_eq(qs_model_setting(model, "data.train"), "fashion-mnist");
    cr_expect_str_eq(qs_model_setting(model, "data.scale"), "l2");
    qs_model_close(model);
}

typedef struct refusal {
    const char text[192], message[80];
} refusal;

ParameterizedTestParameters(recipe, refused_with_its_line)
{
    static refusal all[] = {
        {"model:\n  - input: [3]\n  - dense: {unit: 3}\n",
         "line 3: dense: unknown argument 'unit'"},
        {"model:\n  - input: [3]\n  - dense: 3\n  - desne: 3\n", "line 4: unknown layer 'desne'"},
        {"model:\n  - input: [3]\n  - flatten\n  - flaten\n", "line 4: unknown layer 'flaten'"},
        {"model:\n  - input: [3]\n  - dense:\n      units: 3\n      activation: rely\n", "line 5"},
        {"model:\n  - input: [3]\n  - dense: 3\ntrain: {loss: mse, bach_size: 3}\n",
         "line 4: train: unknown key 'bach_size'"},
        {"model:\n  - input: [3]\n  - dense: 3\ntrain:\n  loss: mse\n  epochs: many\n",
         "line 6: epochs: must be a whole number"},
        {"model:\n  - input: [3]\n  - dense: 3\ndate: {}\n", "line 4: unknown key 'date'"},
        {"model:\n  - input: [3]\n  - dense: 3\n  - reshape: [7]\n", "line 4: layer 1 (reshape)"},
        {"model:\n  - input: [3]\nmodel:\n  - input: [4]\n", "line 3: 'model' is there twice"},
        {"model:\n  - dense: 3\n", "line 2: the model must begin with the shape"},
        {"model:\n  - input: [0]\n  - dense: 3\n", "line 2: the model must begin"},
        {"model:\n  - input: [3]\n", "no layers"},
        {"model: [input: 3, dense: 3]\n---\nx: 1\n", "line 3: a second document"},
        {"a: &a {<<: *b}\n", "line 1"},
        {"model: [[[\n", "not YAML"},
        {"model: !!binary aGk=\n", "line 1: tags"},
        {"- 1\n- 2\n", "a recipe is a mapping"},
        {"", "nothing in it"},
        {"model: &m [*m]\n", "nested deeper"},
        {"m: &a [1, 2]\nmodel:\n  - input: *a\n  - dense: 3\n", "line 1: unknown key 'm'"},
    };
    return cr_make_param_array(refusal, all, sizeof all / sizeof *all);
}

ParameterizedTest(const refusal *one, recipe, refused_with_its_line)
{
    qs_model *model = NULL;
    qs_error err = {0};
    const qs_status status = qs_model_parse(one->text, strlen(one->text), &model, &err);
    cr_expect_eq(qs_status_exit(status), 2, "%d: %s", status, err.text);
    cr_expect_not_null(strstr(err.text, one->message), "'%s' is not in: %s", one->message,
                       err.text);
    cr_expect_null(model);
}

Test(recipe, options_of_a_layer_are_flow_yaml)
{
    qs_model *model = parse_recipe("model: [input: 3, flatten]\n");
    qs_layer_info info;
    qs_error err = {0};
    cr_assert_eq(qs_model_add(model, "dense", "{units: 4, activation: relu}", &err), QS_OK);
    cr_assert_eq(qs_model_layer(model, 1, &info, NULL), QS_OK);
    cr_expect_str_eq(info.options, "{units: 4, activation: relu}");
    cr_expect_eq(qs_model_add(model, "dense", "{units: 4", &err), QS_E_FORMAT);
    cr_expect_eq(qs_model_add(model, "dense", "{unit: 4}", &err), QS_E_ARG);
    cr_expect_eq(qs_model_add(model, "dense", NULL, &err), QS_E_ARG);
    qs_model_close(model);
}
