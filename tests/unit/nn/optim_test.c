/* SPDX-License-Identifier: MIT */
/* optim_test.c - every optimizer on every rung against the same rule written plainly in double. */
#include "nn/optim.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "kernels/kernels.h"
#include "nn/schedule.h"
#include "specs.h"

enum { N = 32, STEPS = 80, SLOTS = 3 };

typedef struct state {
    double w[N], g[N], slot[SLOTS][N];
    double t, rate, product; /* product: Nadam's of mu */
} state;

typedef void (*rule)(state *s, int i);

static double square(double x)
{
    return x * x;
}

/* The rules of Keras 3; numbers are those of the cases below. */
static void sgd(state *s, int i)
{
    s->w[i] -= s->rate * s->g[i];
}

static void momentum(state *s, int i)
{
    s->slot[0][i] = 0.9 * s->slot[0][i] - s->rate * s->g[i];
    s->w[i] += s->slot[0][i];
}

static void nesterov(state *s, int i)
{
    s->slot[0][i] = 0.9 * s->slot[0][i] - s->rate * s->g[i];
    s->w[i] += 0.9 * s->slot[0][i] - s->rate * s->g[i];
}

static void rmsprop(state *s, int i)
{
    s->slot[0][i] = 0.9 * s->slot[0][i] + 0.1 * square(s->g[i]);
    s->w[i] -= s->rate * s->g[i] / sqrt(s->slot[0][i] + 1e-7);
}

static void rmsprop_momentum(state *s, int i)
{
    s->slot[0][i] = 0.8 * s->slot[0][i] + 0.2 * square(s->g[i]);
    s->slot[1][i] = 0.7 * s->slot[1][i] + s->rate * s->g[i] / sqrt(s->slot[0][i] + 1e-4);
    s->w[i] -= s->slot[1][i];
}

static void rmsprop_centered(state *s, int i)
{
    s->slot[0][i] = 0.8 * s->slot[0][i] + 0.2 * square(s->g[i]);
    s->slot[1][i] = 0.8 * s->slot[1][i] + 0.2 * s->g[i];
    s->w[i] -= s->rate * s->g[i] / sqrt(s->slot[0][i] - square(s->slot[1][i]) + 1e-4);
}

static void rmsprop_both(state *s, int i)
{
    s->slot[0][i] = 0.8 * s->slot[0][i] + 0.2 * square(s->g[i]);
    s->slot[2][i] = 0.8 * s->slot[2][i] + 0.2 * s->g[i];
    const double spread = s->slot[0][i] - square(s->slot[2][i]);
    s->slot[1][i] = 0.7 * s->slot[1][i] + s->rate * s->g[i] / sqrt(spread + 1e-4);
    s->w[i] -= s->slot[1][i];
}

static void adagrad(state *s, int i)
{
    s->slot[0][i] += square(s->g[i]);
    s->w[i] -= s->rate * s->g[i] / sqrt(s->slot[0][i] + 1e-7);
}

static void adadelta(state *s, int i)
{
    s->slot[0][i] = 0.95 * s->slot[0][i] + 0.05 * square(s->g[i]);
    const double step = sqrt(s->slot[1][i] + 1e-7) / sqrt(s->slot[0][i] + 1e-7) * s->g[i];
    s->slot[1][i] = 0.95 * s->slot[1][i] + 0.05 * square(step);
    s->w[i] -= s->rate * step;
}

static void moments(state *s, int i)
{
    s->slot[0][i] = 0.9 * s->slot[0][i] + 0.1 * s->g[i];
    s->slot[1][i] = 0.999 * s->slot[1][i] + 0.001 * square(s->g[i]);
}

/* Powers of betas rounded to float: Keras' early steps are 6e-6 shorter than exact ones. */
static double adam_rate(const state *s)
{
    return s->rate * sqrt(1 - pow((double)0.999f, s->t)) / (1 - pow((double)0.9f, s->t));
}

static void adam(state *s, int i)
{
    moments(s, i);
    s->w[i] -= adam_rate(s) * s->slot[0][i] / (sqrt(s->slot[1][i]) + 1e-7);
}

static void adam_large(state *s, int i)
{
    moments(s, i);
    s->w[i] -= adam_rate(s) * s->slot[0][i] / (sqrt(s->slot[1][i]) + 0.01);
}

static void amsgrad(state *s, int i)
{
    moments(s, i);
    s->slot[2][i] = fmax(s->slot[2][i], s->slot[1][i]);
    s->w[i] -= adam_rate(s) * s->slot[0][i] / (sqrt(s->slot[2][i]) + 1e-7);
}

static void adamax(state *s, int i)
{
    s->slot[0][i] = 0.9 * s->slot[0][i] + 0.1 * s->g[i];
    s->slot[1][i] = fmax(0.999 * s->slot[1][i], fabs(s->g[i]));
    s->w[i] -= s->rate * s->slot[0][i] / ((1 - pow(0.9, s->t)) * (s->slot[1][i] + 1e-7));
}

static void nadam_at(state *s, int i, double speed, double epsilon)
{
    const double mu = 0.9 * (1 - 0.5 * pow(0.96, speed * s->t));
    const double next = 0.9 * (1 - 0.5 * pow(0.96, speed * (s->t + 1)));
    if (i == 0) /* one product for the whole model, once a step */
        s->product *= mu;
    moments(s, i);
    const double ahead = next * s->slot[0][i] / (1 - s->product * next);
    const double now = (1 - mu) * s->g[i] / (1 - s->product);
    s->w[i] -= s->rate * (ahead + now) / (sqrt(s->slot[1][i] / (1 - pow(0.999, s->t))) + epsilon);
}

static void nadam(state *s, int i)
{
    nadam_at(s, i, 1, 1e-7);
}

static void nadam_keras_2(state *s, int i)
{
    nadam_at(s, i, 0.004, 1e-7);
}

static void nadam_large(state *s, int i)
{
    nadam_at(s, i, 1, 0.01);
}

static void lion(state *s, int i)
{
    const double way = 0.9 * s->slot[0][i] + 0.1 * s->g[i];
    s->w[i] -= s->rate * ((way > 0) - (way < 0));
    s->slot[0][i] = 0.99 * s->slot[0][i] + 0.01 * s->g[i];
}

static void ftrl(state *s, int i)
{
    const double l1 = 0.02, l2 = 0.03 + 0.5 / (2 * s->rate), shrink = 0.01;
    const double sum = s->slot[0][i] + square(s->g[i]);
    s->slot[1][i] +=
        s->g[i] + 2 * shrink * s->w[i] - (sqrt(sum) - sqrt(s->slot[0][i])) / s->rate * s->w[i];
    s->slot[0][i] = sum;
    const double z = s->slot[1][i];
    s->w[i] = (fmin(fmax(z, -l1), l1) - z) / (sqrt(sum) / s->rate + 2 * l2);
}

static const struct optim_case {
    const char *text;
    rule rule;
    int slots;
    double rate, decay;
} cases[] = {
    {"sgd", sgd, 0, 0.01, 0},
    {"sgd:learning_rate=0.1,weight_decay=0.05", sgd, 0, 0.1, 0.05},
    {"sgd:momentum=0.9", momentum, 1, 0.01, 0},
    {"sgd:momentum=0.9,nesterov=true", nesterov, 1, 0.01, 0},
    {"rmsprop", rmsprop, 1, 0.001, 0},
    {"rmsprop:rho=0.8,momentum=0.7,epsilon=1e-4", rmsprop_momentum, 2, 0.001, 0},
    {"rmsprop:rho=0.8,centered=true,epsilon=1e-4", rmsprop_centered, 2, 0.001, 0},
    {"rmsprop:rho=0.8,momentum=0.7,epsilon=1e-4,centered=true", rmsprop_both, 3, 0.001, 0},
    {"adagrad:learning_rate=0.1", adagrad, 1, 0.1, 0},
    {"adadelta:learning_rate=1", adadelta, 2, 1, 0},
    {"adam", adam, 2, 0.001, 0},
    {"adam:epsilon=0.01", adam_large, 2, 0.001, 0},
    {"adam:amsgrad=true,learning_rate=0.01", amsgrad, 3, 0.01, 0},
    {"adamw:learning_rate=0.01", adam, 2, 0.01, 0.004},
    {"adamw:learning_rate=0.01,amsgrad=true,weight_decay=0.1", amsgrad, 3, 0.01, 0.1},
    {"adamax:learning_rate=0.01", adamax, 2, 0.01, 0},
    {"nadam", nadam, 2, 0.001, 0},
    {"nadam:learning_rate=0.01,weight_decay=0.01", nadam, 2, 0.01, 0.01},
    {"nadam:schedule_decay=0.004,learning_rate=0.002", nadam_keras_2, 2, 0.002, 0},
    {"nadam:epsilon=0.01", nadam_large, 2, 0.001, 0},
    {"lion", lion, 1, 0.001, 0},
    {"ftrl:learning_rate=0.05,l1_regularization_strength=0.02,l2_regularization_strength=0.03,"
     "l2_shrinkage_regularization_strength=0.01,beta=0.5",
     ftrl, 2, 0.05, 0},
};

/* Gradients of very different sizes; amsgrad needs some that shrink. */
static double gradient(int step, int i)
{
    const uint64_t at = (uint64_t)(step * N + i);
    const double size = pow(10, -(double)(i % 4)) * (step % 20 < 5 ? 3 : 0.5);
    return (double)(float)(size * (2 * qs_uniform(7, at) - 0.7));
}

static void step_plainly(const struct optim_case *of, state *s, int step)
{
    s->t = step + 1;
    s->rate = of->rate;
    for (int i = 0; i < N; i++) {
        s->g[i] = gradient(step, i);
        s->w[i] *= 1 - of->rate * of->decay;
        of->rule(s, i);
    }
}

typedef struct run {
    float w[N], g[N], memory[SLOTS][N];
    double scalar;
} run;

static void step_kernel(const qs_kernel_tables *t, const qs_spec *spec, run *r, int step)
{
    float c[QS_OPTIM_CONSTANTS], *slot[QS_OPTIM_SLOTS] = {r->memory[0], r->memory[1], r->memory[2]};
    const qs_optim_now now = {.step = (uint64_t)step + 1,
                              .learning_rate = qs_learning_rate(spec, (uint64_t)step),
                              .scalar = &r->scalar};
    for (int i = 0; i < N; i++)
        r->g[i] = (float)gradient(step, i);
    qs_optim_prepare(spec, &now, c);
    t->optim->update[qs_optim_form_of(spec)->update](N, r->g, r->w, slot, c);
}

static void start(const qs_spec *spec, state *s, run *r)
{
    memset(s, 0, sizeof *s);
    memset(r, 0, sizeof *r);
    s->product = r->scalar = 1;
    for (int i = 0; i < N; i++) {
        r->w[i] = (float)(2 * qs_uniform(9, (uint64_t)i) - 1);
        s->w[i] = (double)r->w[i];
        for (int k = 0; k < SLOTS; k++) {
            s->slot[k][i] = qs_optim_slot_start(spec, k);
            r->memory[k][i] = (float)s->slot[k][i];
        }
    }
}

static void compare(const qs_kernel_tables *t, const struct optim_case *of)
{
    static state s;
    static run r;
    const qs_spec *spec = spec_of(&qs_optim_registry, of->text);
    cr_assert_eq(qs_optim_form_of(spec)->slots, of->slots, "%s", of->text);
    start(spec, &s, &r);
    for (int step = 0; step < STEPS; step++) {
        step_plainly(of, &s, step);
        step_kernel(t, spec, &r, step);
        for (int i = 0; i < N; i++)
            cr_assert(fabs((double)r.w[i] - s.w[i]) <= 1e-5 * fmax(0.1, fabs(s.w[i])),
                      "%s on %s, step %d: weight %d is %.9g, not %.9g", of->text, t->name, step + 1,
                      i, (double)r.w[i], s.w[i]);
    }
}

Test(optim, every_rule_is_keras)
{
    for (const qs_kernel_tables *const *t = qs_kernels_usable(); *t; t++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
            compare(*t, &cases[c]);
}

Test(optim, every_kind_and_kernel_is_tested)
{
    bool seen[QS_OPTIMS] = {0};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        seen[qs_optim_form_of(spec_of(&qs_optim_registry, cases[c].text))->update] = true;
    for (int id = 0; id < QS_OPTIMS; id++)
        cr_expect(seen[id], "kernel %d", id);
    for (const qs_kind *const *kind = qs_optim_registry.kinds; *kind; kind++) {
        const qs_optim_form *form = qs_optim_form_of(spec_of(&qs_optim_registry, (*kind)->name));
        for (int k = 0; k < form->slots; k++)
            cr_expect_not_null(form->slot_name[k], "%s", (*kind)->name);
    }
}

Test(optim, padding_stays_finite)
{
    for (const qs_kernel_tables *const *t = qs_kernels_usable(); *t; t++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            const qs_spec *spec = spec_of(&qs_optim_registry, cases[c].text);
            float w[16] = {0}, g[16] = {0}, memory[SLOTS][16] = {{0}}, k[QS_OPTIM_CONSTANTS];
            float *slot[QS_OPTIM_SLOTS] = {memory[0], memory[1], memory[2]};
            double scalar = 1;
            for (uint64_t step = 1; step < 4; step++) {
                qs_optim_prepare(spec, &(qs_optim_now){step, cases[c].rate, &scalar}, k);
                (*t)->optim->update[qs_optim_form_of(spec)->update](16, g, w, slot, k);
            }
            for (int i = 0; i < 16; i++)
                cr_assert_eq(w[i], 0, "%s on %s", cases[c].text, (*t)->name);
        }
}

/* 10,000 steps in: the powers of the betas are gone, nothing over- or underflows. */
Test(optim, late_steps_are_finite)
{
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const qs_spec *spec = spec_of(&qs_optim_registry, cases[c].text);
        float k[QS_OPTIM_CONSTANTS];
        double scalar = 1;
        for (uint64_t step = 1; step <= 10000; step++)
            qs_optim_prepare(spec, &(qs_optim_now){step, cases[c].rate, &scalar}, k);
        for (int i = 0; i < QS_OPTIM_CONSTANTS; i++)
            cr_assert(isfinite(k[i]), "%s: constant %d", cases[c].text, i);
    }
}
