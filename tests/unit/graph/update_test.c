/* SPDX-License-Identifier: MIT */
/* update_test.c - one step moves each weight by its gradient as Keras says: clipped, penalised, and
 * then constrained; what is frozen stays. */
#include "models.h"

enum { SAMPLES = 21, MOST_WEIGHTS = 16 };
static const double RATE = 0.1;

/* Weights and whole gradients before a step, in double. */
typedef struct before {
    int weights;
    size_t n[MOST_WEIGHTS];
    double *w[MOST_WEIGHTS], *g[MOST_WEIGHTS];
} before;

static void remember(before *b, qs_model *model, qs_trainer *t, const batch *in)
{
    b->weights = model->weights;
    for (int i = 0; i < model->weights; i++) {
        const qs_weight *weight = &model->weight[i];
        const size_t n = b->n[i] = qs_shape_count(&weight->shape);
        float *g = qs_calloc(n, sizeof *g);
        if (weight->trainable)
            cr_assert_eq(qs_trainer_gradient(t, &in->xs, &in->ys, NULL, (size_t)i, g, NULL), QS_OK);
        b->w[i] = qs_calloc(n, sizeof(double));
        b->g[i] = qs_calloc(n, sizeof(double));
        for (size_t k = 0; k < n; k++) {
            b->w[i][k] = (double)weight->data[k];
            b->g[i][k] = (double)g[k];
        }
        qs_free(g);
    }
}

static void forget(before *b)
{
    for (int i = 0; i < b->weights; i++) {
        qs_free(b->w[i]);
        qs_free(b->g[i]);
    }
}

static double norm_of(const double *x, size_t n)
{
    double square = 0;
    for (size_t k = 0; k < n; k++)
        square += x[k] * x[k];
    return sqrt(square);
}

typedef void (*clip_rule)(before *b, double limit);

static void scale(double *g, size_t n, double by)
{
    for (size_t k = 0; k < n; k++)
        g[k] *= by;
}

static void clip_nothing(before *b, double limit)
{
    (void)b, (void)limit;
}

static void clip_values(before *b, double limit)
{
    for (int i = 0; i < b->weights; i++)
        for (size_t k = 0; k < b->n[i]; k++)
            b->g[i][k] = fmin(fmax(b->g[i][k], -limit), limit);
}

static void clip_norms(before *b, double limit)
{
    for (int i = 0; i < b->weights; i++) {
        const double norm = norm_of(b->g[i], b->n[i]);
        scale(b->g[i], b->n[i], limit / fmax(norm, limit));
    }
}

static void clip_norm_of_all(before *b, double limit)
{
    double square = 0;
    for (int i = 0; i < b->weights; i++)
        square += pow(norm_of(b->g[i], b->n[i]), 2);
    for (int i = 0; i < b->weights; i++)
        scale(b->g[i], b->n[i], limit / fmax(sqrt(square), limit));
}

static bool has_constraint(const sketch *s)
{
    return strstr(s->layers, "constraint") != NULL;
}

/* Frozen weights exactly as before; trained ones by the rate times the clipped gradient. */
static void check_weights(const qs_model *model, const before *b, const char *name)
{
    for (int i = 0; i < model->weights; i++) {
        const qs_weight *weight = &model->weight[i];
        const bool average = strstr(weight->name, "moving_") != NULL;
        double moved = 0;
        for (size_t k = 0; k < b->n[i]; k++) {
            const double now = (double)weight->data[k], want = b->w[i][k] - RATE * b->g[i][k];
            moved += fabs(b->g[i][k]);
            cr_assert(average || fabs(now - want) <= 2e-6 * fmax(1, fabs(want)),
                      "%s: %s[%zu] is %.9g, not %.9g", name, weight->name, k, now, want);
        }
        cr_assert(!weight->trainable || moved > 0, "%s: %s has no gradient", name, weight->name);
    }
}

static void check_step(const sketch *s, const char *optimizer, clip_rule clip, double limit)
{
    qs_model *model = model_of(s);
    batch in = batch_of(model, SAMPLES);
    qs_trainer *t = trainer_of(model, SAMPLES, 2, optimizer);
    before b;
    remember(&b, model, t, &in);
    clip(&b, limit);
    step_once(t, &in);
    cr_assert_eq(qs_trainer_sync(t, NULL), QS_OK);
    check_weights(model, &b, s->name);
    forget(&b);
    qs_trainer_close(t);
    batch_free(&in);
    qs_model_close(model);
}

/* Dropout's numbers differ between a step and a gradient that is looked at. */
static bool is_random(const sketch *s)
{
    return strstr(s->layers, "dropout") || strstr(s->layers, "noise");
}

static void check_all(const char *optimizer, clip_rule clip, double limit)
{
    for (int i = 0; i < SKETCHES; i++)
        if (!is_random(&sketches[i]) && !has_constraint(&sketches[i]))
            check_step(&sketches[i], optimizer, clip, limit);
}

Test(update, by_the_gradient)
{
    check_all("sgd:learning_rate=0.1", clip_nothing, 0);
}

Test(update, clipped_by_value)
{
    check_all("sgd:learning_rate=0.1,clipvalue=0.05", clip_values, 0.05);
}

Test(update, clipped_by_norm)
{
    check_all("sgd:learning_rate=0.1,clipnorm=0.2", clip_norms, 0.2);
}

Test(update, clipped_by_the_norm_of_all)
{
    check_all("sgd:learning_rate=0.1,global_clipnorm=0.3", clip_norm_of_all, 0.3);
}

Test(update, penalties_are_part_of_what_is_clipped)
{
    const sketch s = {
        "penalised",
        {12},
        "dense:units=50,kernel_regularizer=(l1_l2:l1=0.1,l2=0.1),bias_regularizer=(l2:"
        "0.1)|batch_normalization:gamma_regularizer=(l2:0.1)|dense:units=3"};
    check_step(&s, "sgd:learning_rate=0.1", clip_nothing, 0);
    check_step(&s, "sgd:learning_rate=0.1,clipvalue=0.05", clip_values, 0.05);
    check_step(&s, "sgd:learning_rate=0.1,clipnorm=0.2", clip_norms, 0.2);
    check_step(&s, "sgd:learning_rate=0.1,global_clipnorm=0.3", clip_norm_of_all, 0.3);
}

/* Padding has no gradient: without an epsilon it would be 0 / 0, and its penalty and norm, too. */
Test(update, padding_stays_out_without_an_epsilon)
{
    static const char *const optimizers[] = {
        "adam:epsilon=0",           "adamax:epsilon=0",
        "nadam:epsilon=0",          "adadelta:epsilon=0",
        "rmsprop:epsilon=0",        "adagrad:epsilon=0,initial_accumulator_value=0",
        "adam:epsilon=0,clipnorm=1"};
    const sketch s = {"penalised",
                      {4},
                      "dense:units=3,activation=tanh,kernel_regularizer=(l2:0.01)|dense:units=2"};
    for (size_t i = 0; i < sizeof optimizers / sizeof *optimizers; i++) {
        qs_model *model = model_of(&s);
        batch in = batch_of(model, SAMPLES);
        qs_trainer *t = trainer_of(model, SAMPLES, 1, optimizers[i]);
        step_once(t, &in);
        cr_expect(isfinite(step_once(t, &in)), "%s", optimizers[i]);
        qs_trainer_close(t);
        batch_free(&in);
        qs_model_close(model);
    }
}

/* ---- constraints ---- */

/* Rate 0: what is left is the constraint, along the first axis as in Keras. */
static void check_norms(const sketch *s, int index, double low, double high)
{
    qs_model *model = model_of(s);
    batch in = batch_of(model, SAMPLES);
    qs_weight *weight = &model->weight[index];
    const size_t count = qs_shape_count(&weight->shape), rows = weight->shape.dim[0];
    for (size_t k = 0; k < count; k++)
        weight->data[k] = (float)(3 * qs_normal(5, k));
    qs_trainer *t = trainer_of(model, SAMPLES, 2, "sgd:learning_rate=0");
    step_once(t, &in);
    cr_assert_eq(qs_trainer_sync(t, NULL), QS_OK);
    for (size_t c = 0; c < count / rows; c++) {
        double was = 0, is = 0;
        for (size_t r = 0; r < rows; r++) {
            was += pow((double)(float)(3 * qs_normal(5, r * (count / rows) + c)), 2);
            is += pow((double)weight->data[r * (count / rows) + c], 2);
        }
        const double want = fmin(fmax(sqrt(was), low), high);
        cr_expect_float_eq(sqrt(is), want, 1e-5 * want, "%s: column %zu: norm %g, not %g", s->name,
                           c, sqrt(is), want);
    }
    for (int w = 0; w < model->weights; w++)
        for (size_t k = 0; k < qs_shape_count(&model->weight[w].shape); k++)
            cr_assert(isfinite(model->weight[w].data[k]), "%s", model->weight[w].name);
    qs_trainer_close(t);
    batch_free(&in);
    qs_model_close(model);
}

Test(update, constraints_hold_for_each_column_of_a_kernel)
{
    check_norms(&(sketch){"max", {6}, "dense:units=53,kernel_constraint=(max_norm:max_value=2)"}, 0,
                0, 2);
    check_norms(&(sketch){"unit", {6}, "dense:units=53,kernel_constraint=unit_norm"}, 0, 1, 1);
    check_norms(
        &(sketch){
            "both", {6}, "dense:units=53,kernel_constraint=(min_max_norm:min_value=4,max_value=7)"},
        0, 4, 7);
    check_norms(&(sketch){"one row", {1}, "dense:units=53,kernel_constraint=unit_norm"}, 0, 1, 1);
}

Test(update, constraints_hold_for_a_whole_vector)
{
    check_norms(&(sketch){"bias", {6}, "dense:units=53,bias_constraint=(max_norm:max_value=2)"}, 1,
                0, 2);
    check_norms(&(sketch){"gamma",
                          {53},
                          "batch_normalization:gamma_constraint=unit_norm|dense:"
                          "units=2"},
                0, 1, 1);
    check_norms(&(sketch){"alpha", {53}, "prelu:alpha_constraint=unit_norm"}, 0, 1, 1);
}

Test(update, constraints_hold_along_the_first_axis_of_an_alpha)
{
    check_norms(&(sketch){"alpha", {5, 7}, "prelu:alpha_constraint=unit_norm"}, 0, 1, 1);
    check_norms(&(sketch){"alpha", {5, 3, 7}, "prelu:alpha_constraint=(max_norm:max_value=2)"}, 0,
                0, 2);
    check_norms(&(sketch){"alpha", {5, 3, 7}, "prelu:shared_axes=[1],alpha_constraint=unit_norm"},
                0, 1, 1);
}

Test(update, no_weight_is_negative_where_none_may_be)
{
    const sketch s = {"non_neg", {6}, "dense:units=53,kernel_constraint=non_neg"};
    qs_model *model = model_of(&s);
    batch in = batch_of(model, SAMPLES);
    qs_trainer *t = trainer_of(model, SAMPLES, 1, "sgd:learning_rate=0.1");
    step_once(t, &in);
    cr_assert_eq(qs_trainer_sync(t, NULL), QS_OK);
    size_t above = 0;
    for (size_t k = 0; k < 6 * 53; k++) {
        cr_assert(model->weight[0].data[k] >= 0);
        above += model->weight[0].data[k] > 0;
    }
    cr_expect(above > 0);
    qs_trainer_close(t);
    batch_free(&in);
    qs_model_close(model);
}
