/* SPDX-License-Identifier: MIT */
/* edges_test.c - the smallest and the widest of what can be trained, and what cannot. */
#include "models.h"

/* y = x W + b in double. */
static void check_dense(size_t inputs, size_t units, size_t n)
{
    char layers[64];
    snprintf(layers, sizeof layers, "dense:units=%zu", units);
    const sketch s = {"dense", {inputs}, layers};
    qs_model *model = model_of(&s);
    batch in = batch_of(model, n);
    float *y = qs_calloc(n * units, sizeof *y);
    qs_trainer *t = trainer_of(model, n, 2, "sgd");
    cr_assert_eq(qs_trainer_predict(t, &in.xs, y, NULL), QS_OK);
    const float *w = model->weight[0].data;
    for (size_t i = 0; i < n; i++)
        for (size_t u = 0; u < units; u++) {
            double want = 0, square = 0;
            for (size_t k = 0; k < inputs; k++) {
                const double term = (double)in.x[i * inputs + k] * (double)w[k * units + u];
                want += term;
                square += term * term;
            }
            cr_assert(fabs((double)y[i * units + u] - want) <=
                          1e-6 * fmax(sqrt(square), 1e-3) * sqrt((double)inputs),
                      "%zu -> %zu, %zu samples: [%zu, %zu] is %g, not %g", inputs, units, n, i, u,
                      (double)y[i * units + u], want);
        }
    cr_assert(isfinite(step_once(t, &in)));
    cr_assert(isfinite(step_once(t, &in)));
    qs_trainer_close(t);
    qs_free(y);
    batch_free(&in);
    qs_model_close(model);
}

Test(edges, one_of_everything)
{
    check_dense(1, 1, 1);
    check_dense(1, 1, 2);
    check_dense(1, 50, 1);
    check_dense(50, 1, 1);
    check_dense(1, 97, 33);
}

Test(edges, very_wide)
{
    check_dense(5000, 3, 2);
    check_dense(3, 5000, 17);
    check_dense(5000, 1, 65);
}

Test(edges, a_rank_2_sample_is_rows_that_share_the_kernel)
{
    const sketch s = {"rows", {4, 5}, "dense:units=3"};
    qs_model *model = model_of(&s);
    batch in = batch_of(model, 6);
    float y[6 * 4 * 3];
    qs_trainer *t = trainer_of(model, 6, 1, "sgd");
    cr_assert_eq(qs_trainer_predict(t, &in.xs, y, NULL), QS_OK);
    for (size_t row = 0; row < 6 * 4; row++)
        for (size_t u = 0; u < 3; u++) {
            double want = 0;
            for (size_t k = 0; k < 5; k++)
                want += (double)in.x[row * 5 + k] * (double)model->weight[0].data[k * 3 + u];
            cr_expect_float_eq((double)y[row * 3 + u], want, 3e-6);
        }
    qs_trainer_close(t);
    batch_free(&in);
    qs_model_close(model);
}

/* With one sample the batch's mean is the sample and its variance 0: beta comes out, and nothing goes
 * back. The moving averages go 1 % of the way. */
Test(edges, batch_normalisation_of_one_sample)
{
    const sketch s = {"one", {4}, "dense:units=3|batch_normalization"};
    qs_model *model = model_of(&s);
    batch in = batch_of(model, 1);
    float kernel[12], z[3], y[3];
    memcpy(kernel, model->weight[0].data, sizeof kernel);
    qs_trainer *t = trainer_of(model, 1, 1, "sgd:learning_rate=0.5");
    double loss = 0;
    for (size_t u = 0; u < 3; u++) {
        z[u] = 0;
        for (size_t k = 0; k < 4; k++)
            z[u] += in.x[k] * kernel[k * 3 + u];
        loss += (double)in.y[u] * (double)in.y[u] / 3;
    }
    const double got = step_once(t, &in);
    cr_expect_float_eq(got, loss, 1e-6);
    cr_assert_eq(qs_trainer_sync(t, NULL), QS_OK);
    cr_expect_eq(memcmp(kernel, model->weight[0].data, sizeof kernel), 0);
    for (size_t u = 0; u < 3; u++) {
        cr_expect_float_eq(model->weight[4].data[u], 0.01f * z[u], 1e-6f);
        cr_expect_float_eq(model->weight[5].data[u], 0.99f, 1e-6f);
    }
    cr_expect_eq(qs_trainer_predict(t, &in.xs, y, NULL), QS_OK);
    qs_trainer_close(t);
    batch_free(&in);
    qs_model_close(model);
}

Test(edges, a_model_of_frozen_layers_stays_as_it_is)
{
    const sketch s = {"frozen", {4}, "!dense:units=3|!batch_normalization"};
    qs_model *model = model_of(&s);
    batch in = batch_of(model, 7);
    float kernel[12];
    memcpy(kernel, model->weight[0].data, sizeof kernel);
    qs_trainer *t = trainer_of(model, 7, 2, "adam");
    const double first = step_once(t, &in), second = step_once(t, &in);
    cr_expect_eq(first, second);
    cr_assert_eq(qs_trainer_sync(t, NULL), QS_OK);
    cr_expect_eq(memcmp(kernel, model->weight[0].data, sizeof kernel), 0);
    qs_trainer_close(t);
    batch_free(&in);
    qs_model_close(model);
}

Test(edges, a_model_without_weights_has_a_loss)
{
    const sketch s = {"none", {4}, "rescaling:scale=2"};
    qs_model *model = model_of(&s);
    batch in = batch_of(model, 7);
    double want = 0;
    for (size_t i = 0; i < 7 * 4; i++)
        want += pow(2 * (double)in.x[i] - (double)in.y[i], 2) / (7 * 4);
    qs_trainer *t = trainer_of(model, 7, 2, "adam");
    const double got = step_once(t, &in);
    cr_expect_float_eq(got, want, 1e-5);
    qs_trainer_close(t);
    batch_free(&in);
    qs_model_close(model);
}

/* Lanes without a sample compute something, too; here it is NaN or infinite, and must not be seen. */
static void check_padding_unseen(const sketch *s, float kernel, float bias)
{
    qs_model *model = model_of(s);
    batch in = batch_of(model, 5);
    for (size_t i = 0; i < 5 * qs_shape_count(&model->input); i++)
        in.x[i] = 1 + (float)i / 64;
    if (kernel != 0)
        model->weight[0].data[0] = kernel;
    if (bias != 0)
        model->weight[1].data[0] = bias;
    qs_trainer *t = trainer_of(model, 5, 1, "sgd:learning_rate=1e-3");
    for (int k = 0; k < 3; k++) {
        const double loss = step_once(t, &in);
        cr_assert(isfinite(loss), "%s: %g", s->name, loss);
    }
    cr_assert_eq(qs_trainer_sync(t, NULL), QS_OK);
    for (int w = 0; w < model->weights; w++)
        for (size_t k = 0; k < qs_shape_count(&model->weight[w].shape); k++)
            cr_assert(isfinite(model->weight[w].data[k]), "%s: %s[%zu]", s->name,
                      model->weight[w].name, k);
    qs_trainer_close(t);
    batch_free(&in);
    qs_model_close(model);
}

Test(edges, padding_that_is_not_finite_is_not_seen)
{
    check_padding_unseen(&(sketch){"0 / 0",
                                   {6},
                                   "layer_normalization:epsilon=0|dense:units=3|"
                                   "batch_normalization|prelu|dense:units=2"},
                         0, 0);
    check_padding_unseen(&(sketch){"exp(100)",
                                   {1},
                                   "dense:units=1,activation=exponential|prelu|"
                                   "layer_normalization|dense:units=2"},
                         -100, 100);
}

/* ---- what cannot be done ends in an error ---- */

static void check_refused(qs_trainer *t, const qs_array *x, const qs_array *y, const char *what)
{
    double loss = 7;
    float g[64], out[64];
    qs_error err;
    cr_expect_neq(qs_trainer_step(t, x, y, NULL, &loss, &err), QS_OK, "%s", what);
    cr_expect_eq(loss, 7, "%s: untouched", what);
    cr_expect_neq(qs_trainer_gradient(t, x, y, NULL, 0, g, &err), QS_OK, "%s", what);
    if (x->rank < 1)
        cr_expect_neq(qs_trainer_predict(t, x, out, &err), QS_OK, "%s", what);
}

Test(edges, no_samples_and_no_axes_are_refused)
{
    const sketch s = {"dense", {4}, "dense:units=3"};
    qs_model *model = model_of(&s);
    batch in = batch_of(model, 2);
    qs_trainer *t = trainer_of(model, 2, 1, "sgd");
    qs_array x = in.xs, y = in.ys;
    x.dim[0] = y.dim[0] = 0;
    check_refused(t, &x, &y, "no samples");
    x = in.xs;
    x.rank = 0;
    check_refused(t, &x, &in.ys, "no axes");
    x = in.xs;
    x.dim[1] = 3;
    check_refused(t, &x, &in.ys, "three features for four");
    y = in.ys;
    y.dim[0] = 1;
    check_refused(t, &in.xs, &y, "labels for one of two");
    qs_trainer_close(t);
    batch_free(&in);
    qs_model_close(model);
}
