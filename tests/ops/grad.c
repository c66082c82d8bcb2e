/* SPDX-License-Identifier: MIT */
/* grad.c - gradients of small networks against finite differences of their loss, on the `ref` rung. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "net.h"
#include "nn/loss.h"
#include "ops_test.h"

enum { ELEMENTS = 14, STEPS = 7, TEXT = sizeof(qs_error) + 100 };
static const double FIRST_STEP = 0.04, TOLERANCE = 2e-3;

typedef struct grad {
    const net_case *c;
    uint64_t seed;
    bool good;
    int kinks, tried;
    char text[TEXT];
} grad;

typedef struct slopes {
    double central, bend; /* bend: how far the slopes to either side are apart */
} slopes;

/* Differences of the loss in one weight; the step is what float makes of it. */
static slopes slopes_of(net *n, float *weight, double step)
{
    const float w = *weight, high = (float)((double)w + step), low = (float)((double)w - step);
    const double here = net_loss(n);
    *weight = high;
    const double above = net_loss(n);
    *weight = low;
    const double below = net_loss(n);
    *weight = w;
    const double up = (double)high - (double)w, down = (double)w - (double)low;
    return (slopes){(above - below) / (up + down),
                    fabs((above - here) / up - (here - below) / down)};
}

typedef enum verdict { RIGHT, WRONG, KINK } verdict;

/* Smaller and smaller steps, pairs of them extrapolated to none, until one agrees. A loss that still
 * bends at the smallest two has a kink there. */
static verdict try_element(net *n, float *weight, double wanted, double allowed, double *found)
{
    slopes before = slopes_of(n, weight, FIRST_STEP);
    bool bends = false;
    for (int k = 1; k <= STEPS; k++) {
        const slopes now = slopes_of(n, weight, FIRST_STEP / (1 << k));
        *found = (4 * now.central - before.central) / 3;
        bends = now.bend > 2 * allowed || before.bend > 2 * allowed;
        if (fabs(*found - wanted) <= allowed || fabs(now.central - wanted) <= allowed)
            return RIGHT;
        before = now;
    }
    return bends ? KINK : WRONG;
}

static double rms(const float *x, size_t n)
{
    double square = 0;
    for (size_t i = 0; i < n; i++)
        square += (double)x[i] * (double)x[i];
    return sqrt(square / (double)n);
}

static bool try_weight(grad *g, net *n, int index)
{
    const qs_weight *weight = &n->model->weight[index];
    const size_t count = qs_shape_count(&weight->shape);
    float *gradient = calloc(count, sizeof *gradient);
    qs_error err;
    bool good = gradient && net_gradient(n, index, gradient, &err) == QS_OK;
    if (!good)
        snprintf(g->text, TEXT, "%s: %s", weight->name, err.text);
    const double scale = good ? rms(gradient, count) : 0;
    for (size_t k = 0; good && k < ELEMENTS && k < count; k++) {
        const size_t i = count <= ELEMENTS ? k : qs_random(g->seed, k) % count;
        const double wanted = (double)gradient[i];
        const double allowed = TOLERANCE * fmax(fmax(scale, fabs(wanted)), 0.02);
        double found;
        const verdict v = try_element(n, &weight->data[i], wanted, allowed, &found);
        g->tried++;
        g->kinks += v == KINK;
        good = v != WRONG;
        if (!good)
            snprintf(g->text, TEXT, "%s[%zu]: gradient %.7g, differences give %.7g (allowed %.2g)",
                     weight->name, i, wanted, found, allowed);
    }
    free(gradient);
    return good;
}

static void run_net(void *self)
{
    grad *g = self;
    static net n;
    qs_error err;
    if (net_open(&n, g->c, g->seed, 1, &err) != QS_OK) {
        snprintf(g->text, TEXT, "%s", err.text);
        return;
    }
    g->good = true;
    for (int w = 0; g->good && w < n.model->weights; w++)
        if (n.model->weight[w].trainable)
            g->good = try_weight(g, &n, w);
    if (g->good && (!g->tried || 4 * g->kinks > g->tried)) {
        snprintf(g->text, TEXT, "%d of %d elements at a kink", g->kinks, g->tried);
        g->good = false;
    }
    net_close(&n);
}

static void grad_case(ops_options *o, const net_case *c)
{
    grad g = {.c = c, .seed = o->seed};
    const bool good = !ops_crashes(run_net, &g, g.text, sizeof g.text) && g.good;
    ops_result(o, good, "grad", c->name, "", g.text);
    if (!good)
        net_print(c);
}

/* Whether a case has a word that begins with `name`: a layer or, with `of_loss`, a loss. */
static bool mentioned(const char *name, bool of_loss)
{
    net_case c;
    const size_t n = strlen(name);
    for (size_t i = 0; net_case_at(i, &c); i++) {
        for (const char *p = of_loss ? c.loss : c.layers; p && *p; p = strchr(p, '|')) {
            p += *p == '|';
            p += *p == '!';
            if (strncmp(p, name, n) == 0 && strchr(":|", p[n]))
                return true;
        }
    }
    return false;
}

static void check_all_mentioned(ops_options *o, const qs_registry *registry, bool of_loss)
{
    for (int k = 0; registry->kinds[k]; k++)
        ops_result(o, mentioned(registry->kinds[k]->name, of_loss), "there is a net with",
                   registry->kinds[k]->name, "", "add one to tests/ops/nets.c");
}

static int count_kinds(const qs_registry *registry)
{
    int count = 0;
    while (registry->kinds[count])
        count++;
    return count;
}

int ops_grad(ops_options *o)
{
    net_case c;
    int count = net_count(o);
    if (o->list)
        return net_list(o);
    setenv("QUICKSTEP_IMPL", "ref", 1);
    if (!o->test)
        count += count_kinds(&qs_layer_registry) + count_kinds(&qs_loss_registry);
    printf("# seed %llu\n1..%d\n", (unsigned long long)o->seed, count);
    if (!o->test) {
        check_all_mentioned(o, &qs_layer_registry, false);
        check_all_mentioned(o, &qs_loss_registry, true);
    }
    for (size_t i = 0; net_case_at(i, &c); i++)
        if (ops_wanted(o, c.name))
            grad_case(o, &c);
    return o->failed ? 1 : 0;
}
