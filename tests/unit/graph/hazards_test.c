/* SPDX-License-Identifier: MIT */
/* hazards_test.c - no call needs what another call of the same group makes on another thread. */
#include "models.h"

#include "graph/graph.h"

/* What a call touches: tensors, then a parameter's weights, then its gradient. */
enum { MOST_TENSORS = 300, MOST_PARAMS = 60, PLACES = MOST_TENSORS + 2 * MOST_PARAMS };

typedef struct touched {
    bool read[PLACES], written[PLACES];
} touched;

static int weights_of(int param)
{
    return MOST_TENSORS + 2 * param;
}

static int gradient_of(int param)
{
    return weights_of(param) + 1;
}

static bool reads_gradient(qs_op op)
{
    return op == QS_OP_grad_norm || op == QS_OP_update;
}

static bool makes_gradient(qs_op op)
{
    return op == QS_OP_dense_dw || op == QS_OP_prelu_dparam || op == QS_OP_batch_norm_dparam ||
           op == QS_OP_layer_norm_dparam;
}

static void touch_param(const qs_program *p, const qs_call *c, int param, touched *t)
{
    const bool kept = p->param[param].kept;
    t->read[weights_of(param)] = true;
    if (reads_gradient(c->op))
        t->read[gradient_of(param)] = true;
    if (makes_gradient(c->op))
        t->written[kept ? gradient_of(param) : weights_of(param)] = true;
    if (c->op == QS_OP_update || c->op == QS_OP_constrain || c->op == QS_OP_batch_norm_stats)
        t->written[weights_of(param)] = true;
}

static void touch(const qs_program *p, const qs_call *c, touched *t)
{
    memset(t, 0, sizeof *t);
    for (int i = 0; i < QS_IN; i++) {
        if (c->in[i] >= 0)
            t->read[c->in[i]] = true;
        else if (c->in[i] != QS_NO_TENSOR)
            t->read[weights_of(qs_operand_param(c->in[i]))] = true;
    }
    for (int o = 0; o < QS_OUT; o++)
        if (c->out[o] >= 0)
            t->written[c->out[o]] = true;
    for (int k = 0; k < 2; k++) {
        const int param = k ? c->bias : c->param;
        if (param != QS_NO_PARAM && (c->section != QS_FORWARD || c->op == QS_OP_batch_norm_stats))
            touch_param(p, c, param, t);
    }
}

/* Items of two calls run at once: neither may write what the other touches. */
static void check_pair(const qs_program *p, const qs_call *a, const qs_call *b, const char *name)
{
    touched x, y;
    touch(p, a, &x);
    touch(p, b, &y);
    for (int k = 0; k < PLACES; k++) {
        const bool clash =
            (x.written[k] && (y.read[k] || y.written[k])) || (y.written[k] && x.read[k]);
        cr_expect(!clash, "%s: calls %td (%s) and %td (%s) run at once and share %s %d", name,
                  a - p->call, qs_op_name(a->op), b - p->call, qs_op_name(b->op),
                  k < MOST_TENSORS ? "tensor" : "parameter",
                  k < MOST_TENSORS ? k : (k - MOST_TENSORS) / 2);
    }
}

static void check_program(const qs_program *p, const char *name)
{
    cr_assert(p->tensors <= MOST_TENSORS && p->params <= MOST_PARAMS);
    for (size_t k = 1; k < p->calls; k++)
        for (size_t j = k; j > 0; j--) {
            const qs_call *late = &p->call[k], *early = &p->call[j - 1];
            if (p->call[j].fence || qs_op_axis(early->op) != QS_AXIS_ITEM ||
                qs_op_axis(late->op) != QS_AXIS_ITEM)
                break;
            check_pair(p, early, late, name);
        }
}

static void check_optimizer(const char *optimizer)
{
    for (int i = 0; i < SKETCHES; i++) {
        qs_model *model = model_of(&sketches[i]);
        qs_trainer *t = trainer_of(model, 32, 1, optimizer);
        check_program(t->program, sketches[i].name);
        qs_trainer_close(t);
        qs_model_close(model);
    }
}

Test(hazards, plain)
{
    check_optimizer("sgd");
}

Test(hazards, clipped_by_norm)
{
    check_optimizer("adam:clipnorm=1");
}

Test(hazards, clipped_by_the_norm_of_all)
{
    check_optimizer("adam:global_clipnorm=1");
}
