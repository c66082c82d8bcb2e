/* SPDX-License-Identifier: MIT */
/* registries_test.c - every kind can be found, asked for by its presets, and has a kernel. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "nn/init.h"
#include "nn/loss.h"
#include "nn/metric.h"
#include "nn/optim.h"
#include "nn/schedule.h"
#include "specs.h"

static const qs_registry *const registries[] = {
    &qs_loss_registry,        &qs_metric_registry,     &qs_optim_registry,
    &qs_initializer_registry, &qs_activation_registry, &qs_regularizer_registry,
    &qs_constraint_registry,
};

Test(registries, presets_are_complete_and_valid)
{
    for (size_t r = 0; r < sizeof registries / sizeof *registries; r++)
        for (const qs_kind *const *kind = registries[r]->kinds; *kind; kind++) {
            const qs_spec *spec = spec_of(registries[r], (*kind)->name);
            char *text = qs_spec_text(spec);
            cr_expect_str_eq(text, (*kind)->name, "%s: a preset is not left out", text);
            cr_expect_not_null((*kind)->help, "%s", (*kind)->name);
            qs_free(text);
        }
}

Test(registries, keras_form_reads_back)
{
    qs_arena arena = {0};
    for (size_t r = 0; r < sizeof registries / sizeof *registries; r++)
        for (const qs_kind *const *kind = registries[r]->kinds; *kind; kind++) {
            const qs_spec *back = NULL;
            qs_error err = {0};
            json_t *json = qs_spec_keras(registries[r], spec_of(registries[r], (*kind)->name));
            cr_assert_eq(qs_spec_read(&arena, registries[r], json, &back, &err), QS_OK, "%s: %s",
                         (*kind)->name, err.text);
            cr_expect_str_eq(back->kind->name, (*kind)->name);
            json_decref(json);
        }
    qs_arena_free(&arena);
}

Test(registries, other_names)
{
    static const struct {
        const qs_registry *in;
        const char *name, *is;
    } names[] = {
        {&qs_loss_registry, "mse", "mean_squared_error"},
        {&qs_loss_registry, "MAE", "mean_absolute_error"},
        {&qs_loss_registry, "bce", "binary_crossentropy"},
        {&qs_loss_registry, "CategoricalCrossentropy", "categorical_crossentropy"},
        {&qs_loss_registry, "kullback_leibler_divergence", "kl_divergence"},
        {&qs_metric_registry, "acc", "accuracy"},
        {&qs_metric_registry, "TopKCategoricalAccuracy", "top_k_categorical_accuracy"},
        {&qs_metric_registry, "MeanAbsoluteError", "mean_absolute_error"},
        {&qs_metric_registry, "mape", "mean_absolute_percentage_error"},
        {&qs_optim_registry, "RMSprop", "rmsprop"},
        {&qs_optim_registry, "AdamW", "adamw"},
        {&qs_optim_registry, "adam_w", "adamw"},
        {&qs_schedule_registry, "CosineDecay", "cosine_decay"},
        {&qs_activation_registry, "swish", "silu"},
        {&qs_activation_registry, "golden>gelu_approximate", "gelu_approximate"},
        {&qs_initializer_registry, "GlorotUniform", "glorot_uniform"},
        {&qs_regularizer_registry, "L1L2", "l1_l2"},
        {&qs_constraint_registry, "MaxNorm", "max_norm"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const qs_kind *kind = qs_kind_find(names[i].in, names[i].name);
        cr_assert_not_null(kind, "%s", names[i].name);
        cr_expect_str_eq(kind->name, names[i].is);
    }
    cr_expect_null(qs_kind_find(&qs_metric_registry, "Accuracy"),
                   "Keras' class of that name compares values: not the same");
    cr_expect_null(qs_kind_find(&qs_regularizer_registry, "orthogonal_regularizer"));
}

Test(registries, accuracy_is_chosen_by_shape)
{
    const qs_metric_kind *accuracy =
        (const qs_metric_kind *)(const void *)qs_kind_find(&qs_metric_registry, "acc");
    cr_expect_str_eq(qs_metric_resolve(accuracy, 1)->kind.name, "binary_accuracy");
    cr_expect_str_eq(qs_metric_resolve(accuracy, 3)->kind.name, "categorical_accuracy");
    float arg[QS_SCORE_ARGS];
    qs_score_args(spec_of(&qs_metric_registry, "accuracy"), arg);
    cr_expect_float_eq(arg[0], 0.5f, 0);
}

Test(registries, arguments_in_order)
{
    float arg[QS_SCORE_ARGS];
    qs_score_args(
        spec_of(&qs_loss_registry, "binary_crossentropy:label_smoothing=0.25,from_logits=true"),
        arg);
    cr_expect_float_eq(arg[0], 1, 0);
    cr_expect_float_eq(arg[1], 0.25f, 0);
    qs_score_args(spec_of(&qs_loss_registry, "huber:0.5"), arg);
    cr_expect_float_eq(arg[0], 0.5f, 0);
    cr_expect_float_eq(arg[1], 0, 0);
}

Test(registries, root_mean_squared_error_takes_the_root_last)
{
    const qs_kind *kind = qs_kind_find(&qs_metric_registry, "root_mean_squared_error");
    cr_expect_float_eq(
        qs_metric_value((const qs_metric_kind *)(const void *)kind, (double[]){18, 2}), 3, 1e-15);
}

Test(registries, activations_know_their_kernels)
{
    static const struct {
        const char *text;
        qs_activation_id id;
        float arg[3];
    } cases[] = {
        {"relu", QS_ACTIVATION_relu, {0, INFINITY, 0}},
        {"relu:max_value=4,threshold=1", QS_ACTIVATION_relu_general, {0, 4, 1}},
        {"relu:negative_slope=0.1", QS_ACTIVATION_relu_general, {0.1f, INFINITY, 0}},
        {"leaky_relu", QS_ACTIVATION_leaky_relu, {0.2f}},
        {"gelu", QS_ACTIVATION_gelu, {0}},
        {"gelu:approximate=true", QS_ACTIVATION_gelu_approximate, {1}},
        {"gelu_approximate", QS_ACTIVATION_gelu_approximate, {0}},
        {"elu:alpha=0.5", QS_ACTIVATION_elu, {0.5f}},
        {"hard_swish", QS_ACTIVATION_hard_silu, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float arg[QS_ACTIVATION_ARGS];
        const qs_spec *spec = spec_of(&qs_activation_registry, cases[i].text);
        cr_expect_eq(qs_activation_kernel(spec, arg), cases[i].id, "%s", cases[i].text);
        for (int k = 0; k < 3; k++)
            cr_expect(arg[k] == cases[i].arg[k], "%s: argument %d is %g", cases[i].text, k,
                      (double)arg[k]);
    }
}

/* Keras writes activations by name only: with arguments the layer or function of the same effect. */
Test(registries, activations_with_arguments_keep_them)
{
    json_t *layer = qs_spec_keras(
        &qs_activation_registry, spec_of(&qs_activation_registry, "leaky_relu:negative_slope=0.1"));
    cr_expect_str_eq(json_string_value(json_object_get(layer, "class_name")), "LeakyReLU");
    const qs_spec *back = NULL;
    qs_arena arena = {0};
    cr_assert_eq(qs_spec_read(&arena, &qs_activation_registry, layer, &back, NULL), QS_OK);
    cr_expect_float_eq(back->value[0].number, 0.1, 0);
    json_t *function = qs_spec_keras(&qs_activation_registry,
                                     spec_of(&qs_activation_registry, "gelu:approximate=true"));
    cr_expect_str_eq(json_string_value(json_object_get(function, "class_name")), "function");
}

Test(registries, regularizers_are_two_factors)
{
    static const struct {
        const char *text;
        double l1, l2;
    } cases[] = {{"l1", 0.01, 0}, {"l2", 0, 0.01}, {"l1_l2:l1=0.5,l2=0.25", 0.5, 0.25}};
    double l1, l2;
    for (size_t i = 0; i < 3; i++) {
        qs_regularizer_factors(spec_of(&qs_regularizer_registry, cases[i].text), &l1, &l2);
        cr_expect(l1 == cases[i].l1 && l2 == cases[i].l2, "%s", cases[i].text);
    }
    qs_regularizer_factors(NULL, &l1, &l2);
    cr_expect(l1 == 0 && l2 == 0);
}

Test(registries, schedule_decay_is_not_keras)
{
    const qs_spec *new = spec_of(&qs_optim_registry, "nadam");
    const qs_spec *old = spec_of(&qs_optim_registry, "nadam:schedule_decay=0.004");
    json_t *config = qs_spec_config(old); /* Keras 3 would not take it */
    cr_expect_null(json_object_get(config, "schedule_decay"));
    json_decref(config);
    cr_expect(qs_spec_beyond_keras(old));
    cr_expect_not(qs_spec_beyond_keras(new));
}

Test(registries, labels_of_hinges)
{
    cr_expect(qs_labels_zero_one((const float[]){0, 1, 1}, 3));
    cr_expect_not(qs_labels_zero_one((const float[]){0, 1, -1}, 3));
    cr_expect(qs_labels_zero_one(NULL, 0));
}
