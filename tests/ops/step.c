/* SPDX-License-Identifier: MIT */
/* step.c - whole training steps of the small networks: every rung near `ref`, and on each the same
 * bytes for one, two and three threads. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "net.h"
#include "ops_test.h"

enum { STEPS = 3, THREADS = 3, TEXT = sizeof(qs_error) + 100 };
static const double NEAR = 1e-4; /* losses of two rungs, relative to what they are about */

typedef struct trained {
    double loss[STEPS];
    uint64_t weights; /* a hash of their bytes */
} trained;

typedef struct step_test {
    const net_case *c;
    uint64_t seed;
    const char *rung;
    bool good;
    char text[TEXT];
} step_test;

static uint64_t hash_weights(const qs_model *model)
{
    uint64_t hash = 0;
    for (int w = 0; w < model->weights; w++)
        for (size_t i = 0; i < qs_shape_count(&model->weight[w].shape); i++) {
            uint32_t bits;
            memcpy(&bits, &model->weight[w].data[i], sizeof bits);
            hash = qs_mix64(hash + bits);
        }
    return hash;
}

static qs_status train_open(net *n, trained *out, qs_error *err)
{
    const qs_array *w = n->ws.data ? &n->ws : NULL;
    for (int k = 0; k < STEPS; k++)
        QS_TRY(qs_trainer_step(n->trainer, &n->xs, &n->ys, w, &out->loss[k], err));
    QS_TRY(qs_trainer_sync(n->trainer, err));
    out->weights = hash_weights(n->model);
    return QS_OK;
}

static bool train(step_test *s, const char *rung, int threads, trained *out)
{
    static net n;
    qs_error err;
    setenv("QUICKSTEP_IMPL", rung, 1);
    qs_status status = net_open(&n, s->c, s->seed, threads, &err);
    if (status == QS_OK) {
        status = train_open(&n, out, &err);
        net_close(&n);
    }
    if (status != QS_OK)
        snprintf(s->text, TEXT, "%d threads: %s", threads, err.text);
    return status == QS_OK;
}

static bool near(step_test *s, const trained *want, const trained *got)
{
    for (int k = 0; k < STEPS; k++)
        if (!(fabs(got->loss[k] - want->loss[k]) <= NEAR * fmax(1, fabs(want->loss[k])))) {
            snprintf(s->text, TEXT, "step %d: loss %.9g, ref has %.9g", k + 1, got->loss[k],
                     want->loss[k]);
            return false;
        }
    return true;
}

static void run_steps(void *self)
{
    step_test *s = self;
    trained ref, one, more;
    if (!train(s, "ref", 1, &ref) || !train(s, s->rung, 1, &one) || !near(s, &ref, &one))
        return;
    for (int threads = 2; threads <= THREADS; threads++) {
        if (!train(s, s->rung, threads, &more))
            return;
        if (more.weights != one.weights || memcmp(more.loss, one.loss, sizeof one.loss) != 0) {
            snprintf(s->text, TEXT, "%d threads give other numbers than one", threads);
            return;
        }
    }
    s->good = true;
}

static void step_case(ops_options *o, const net_case *c, const char *rung)
{
    step_test s = {.c = c, .seed = o->seed, .rung = rung};
    const bool good = !ops_crashes(run_steps, &s, s.text, sizeof s.text) && s.good;
    ops_result(o, good, "step", c->name, rung, s.text);
    if (!good)
        net_print(c);
}

int ops_step(ops_options *o)
{
    const qs_kernel_tables *const *usable = qs_kernels_usable();
    net_case c;
    int rungs = 0;
    if (o->list)
        return net_list(o);
    while (usable[rungs])
        rungs++;
    printf("# seed %llu\n1..%d\n", (unsigned long long)o->seed, rungs * net_count(o));
    for (int k = rungs; k > 0; k--)
        for (size_t i = 0; net_case_at(i, &c); i++)
            if (ops_wanted(o, c.name))
                step_case(o, &c, usable[k - 1]->name);
    return o->failed ? 1 : 0;
}
