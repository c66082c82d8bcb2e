/* SPDX-License-Identifier: MIT */
/* graph.c - growing lists of calls, tensors and parameters. */
#include "graph/graph.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"

typedef struct list {
    void *at;
    size_t count, room;
} list;

struct qs_graph {
    qs_graph_options options;
    list section[QS_SECTIONS]; /* of qs_call */
    list tensor;               /* of qs_tensor */
    list grad;                 /* of int, one for each tensor */
    list wants;                /* of bool, one for each tensor */
    list param;                /* of qs_param */
    qs_arena constants;        /* handed to the program */
    size_t slice_sums, item_sums, penalties;
    bool out_of_memory;
    qs_call spare; /* what appends write to once memory has run out */
};

/* Room for one more element, zeroed; NULL when memory runs out. */
static void *append(qs_graph *g, list *l, size_t size)
{
    if (l->count == l->room) {
        const size_t room = l->room ? 2 * l->room : 16;
        void *more = qs_realloc(l->at, room * size);
        if (!more) {
            g->out_of_memory = true;
            return NULL;
        }
        l->at = more;
        l->room = room;
    }
    return memset((char *)l->at + size * l->count++, 0, size);
}

qs_status qs_graph_open(const qs_graph_options *options, qs_graph **out, qs_error *err)
{
    qs_graph *g = qs_calloc(1, sizeof *g);
    if (!g)
        return qs_fail_memory(err, sizeof *g, "a graph");
    g->options = *options;
    g->slice_sums = 1; /* the loss */
    *out = g;
    return QS_OK;
}

void qs_graph_free(qs_graph *g)
{
    if (!g)
        return;
    for (int s = 0; s < QS_SECTIONS; s++)
        qs_free(g->section[s].at);
    qs_free(g->tensor.at);
    qs_free(g->grad.at);
    qs_free(g->wants.at);
    qs_free(g->param.at);
    qs_arena_free(&g->constants);
    qs_free(g);
}

static int new_tensor(qs_graph *g, qs_space space, size_t features)
{
    qs_tensor *t = append(g, &g->tensor, sizeof *t);
    int *grad = append(g, &g->grad, sizeof *grad);
    bool *wants = append(g, &g->wants, sizeof *wants);
    if (!t || !grad || !wants)
        return 0;
    *t = (qs_tensor){.space = space, .features = features};
    *grad = QS_NO_TENSOR;
    return (int)g->tensor.count - 1;
}

int qs_graph_activation(qs_graph *g, size_t features)
{
    return new_tensor(g, QS_ACTIVATION, features);
}

int qs_graph_packed(qs_graph *g, size_t features)
{
    return new_tensor(g, QS_PACKED, features);
}

int qs_graph_fixed(qs_graph *g, size_t floats)
{
    return new_tensor(g, QS_FIXED, qs_round_up(floats, QS_LANE));
}

static qs_tensor *tensor_at(const qs_graph *g, int tensor)
{
    return (qs_tensor *)g->tensor.at + tensor;
}

int qs_graph_constant(qs_graph *g, const float *data, size_t n)
{
    const int tensor = qs_graph_fixed(g, n);
    float *copy = qs_arena_alloc(&g->constants, n, sizeof *copy);
    if (!copy) {
        g->out_of_memory = true;
        return tensor;
    }
    tensor_at(g, tensor)->constant = memcpy(copy, data, n * sizeof *copy);
    tensor_at(g, tensor)->constants = n;
    return tensor;
}

int qs_graph_param(qs_graph *g, const qs_param *param)
{
    qs_param *p = append(g, &g->param, sizeof *p);
    if (!p)
        return 0;
    *p = *param;
    p->floats = qs_blocked_size(p->rows, p->cols);
    p->kept |= p->trainable && (g->options.keep_gradients || g->options.clip_norm > 0 ||
                                g->options.global_clip_norm > 0);
    return (int)g->param.count - 1;
}

size_t qs_graph_features(const qs_graph *g, int tensor)
{
    return g->out_of_memory ? 1 : tensor_at(g, tensor)->features;
}

bool qs_graph_trains(const qs_graph *g)
{
    return g->options.train;
}

qs_call *qs_graph_call(qs_graph *g, qs_op op, qs_section section, int layer)
{
    qs_call *c = append(g, &g->section[section], sizeof *c);
    if (!c)
        c = &g->spare;
    *c = (qs_call){.op = op,
                   .layer = layer,
                   .section = section,
                   .modes = section == QS_PREPARE   ? QS_TRAIN | QS_EVALUATE
                            : section == QS_FORWARD ? QS_TRAIN | QS_EVALUATE | QS_PREDICT
                                                    : QS_TRAIN,
                   .param = QS_NO_PARAM,
                   .bias = QS_NO_PARAM,
                   .items = 1,
                   .item_cost = 1};
    for (int i = 0; i < QS_IN; i++)
        c->in[i] = QS_NO_TENSOR;
    for (int i = 0; i < QS_OUT; i++)
        c->out[i] = QS_NO_TENSOR;
    return c;
}

void qs_graph_set_grad(qs_graph *g, int tensor, int grad)
{
    if (!g->out_of_memory)
        ((int *)g->grad.at)[tensor] = grad;
}

int qs_graph_grad(const qs_graph *g, int tensor)
{
    return g->out_of_memory ? QS_NO_TENSOR : ((int *)g->grad.at)[tensor];
}

bool qs_graph_wants_grad(const qs_graph *g, int tensor)
{
    return !g->out_of_memory && ((bool *)g->wants.at)[tensor];
}

void qs_graph_sums(qs_graph *g, qs_call *call, int sums)
{
    size_t *all = qs_op_axis(call->op) == QS_AXIS_SLICE ? &g->slice_sums : &g->item_sums;
    call->sum = (int)*all;
    call->sums = sums;
    *all += (size_t)sums;
}

size_t qs_graph_forward(qs_graph *g, qs_call **calls)
{
    *calls = g->section[QS_FORWARD].at;
    return g->section[QS_FORWARD].count;
}

void qs_graph_remove(qs_graph *g, size_t index)
{
    list *l = &g->section[QS_FORWARD];
    qs_call *calls = l->at;
    memmove(calls + index, calls + index + 1, (l->count - index - 1) * sizeof *calls);
    l->count--;
}

qs_call *qs_graph_last(qs_graph *g, qs_section section)
{
    const size_t n = g->section[section].count;
    return n ? (qs_call *)g->section[section].at + n - 1 : NULL;
}

qs_call *qs_graph_producer(const qs_graph *g, int tensor)
{
    qs_call *calls = g->section[QS_FORWARD].at;
    for (size_t k = g->section[QS_FORWARD].count; k > 0; k--)
        for (int o = 0; o < QS_OUT; o++)
            if (calls[k - 1].out[o] == tensor)
                return &calls[k - 1];
    return NULL;
}

bool qs_graph_has_activity(const qs_graph *g, int tensor)
{
    const qs_call *calls = g->section[QS_FORWARD].at;
    for (size_t k = 0; k < g->section[QS_FORWARD].count; k++)
        if (calls[k].op == QS_OP_activity && calls[k].in[0] == tensor)
            return true;
    return false;
}

void qs_graph_penalties(qs_graph *g)
{
    for (int p = 0; p < (int)g->param.count; p++) {
        const qs_param *param = (const qs_param *)g->param.at + p;
        if (param->l1 == 0 && param->l2 == 0)
            continue;
        qs_call *c = qs_graph_call(g, QS_OP_penalty, QS_PREPARE, -1);
        c->param = p;
        c->item_cost = (double)param->floats;
        qs_graph_sums(g, c, 1);
        g->penalties++;
    }
}

static bool trains(const qs_graph *g, int param)
{
    return param != QS_NO_PARAM && ((const qs_param *)g->param.at)[param].trainable;
}

/* A tensor wants a gradient when a call that made it has a parameter to train, or an input that
 * wants one. Forward order is the order of dependence. */
static void find_wants(qs_graph *g)
{
    const qs_call *calls = g->section[QS_FORWARD].at;
    for (size_t k = 0; k < g->section[QS_FORWARD].count; k++) {
        bool wants = trains(g, calls[k].param) || trains(g, calls[k].bias);
        for (int i = 0; i < QS_IN; i++) {
            const int in = calls[k].in[i];
            wants |= in >= 0 ? qs_graph_wants_grad(g, in) : trains(g, qs_operand_param(in));
        }
        for (int o = 0; o < QS_OUT; o++)
            if (calls[k].out[o] >= 0)
                ((bool *)g->wants.at)[calls[k].out[o]] |= wants;
    }
}

/* The next call of the update section for a kept parameter; the first of a kind waits for all before:
 * its gradient, or all norms. */
static qs_call *kept_call(qs_graph *g, qs_op op, int param, bool *first)
{
    qs_call *c = qs_graph_call(g, op, QS_UPDATE, -1);
    c->param = param;
    c->item_cost = (double)((const qs_param *)g->param.at)[param].floats;
    c->fence = *first;
    *first = false;
    return c;
}

static bool is_kept(const qs_graph *g, int param)
{
    const qs_param *p = (const qs_param *)g->param.at + param;
    return p->trainable && p->kept;
}

/* Kept gradients are updated by calls of their own, after the norms that clipping asks for. */
static void append_updates(qs_graph *g)
{
    const qs_graph_options *o = &g->options;
    const int first_sum = (int)g->item_sums, params = (int)g->param.count;
    const bool norms = o->clip_norm > 0 || o->global_clip_norm > 0;
    bool first_norm = true, first_update = true;
    for (int p = 0; norms && p < params; p++)
        if (is_kept(g, p))
            qs_graph_sums(g, kept_call(g, QS_OP_grad_norm, p, &first_norm), 1);
    const int count = (int)g->item_sums - first_sum;
    int own = 0;
    for (int p = 0; p < params; p++)
        if (is_kept(g, p)) {
            qs_call *c = kept_call(g, QS_OP_update, p, &first_update);
            c->sum = first_sum;
            c->dim[0] = count;
            c->dim[1] = own++;
            c->arg[0] = o->clip_norm;
            c->arg[1] = o->global_clip_norm;
        }
}

static void append_constraints(qs_graph *g)
{
    bool first = true;
    for (int p = 0; p < (int)g->param.count; p++) {
        const qs_param *param = (const qs_param *)g->param.at + p;
        if (!param->trainable || !param->constraint)
            continue;
        qs_call *c = qs_graph_call(g, QS_OP_constrain, QS_UPDATE, -1);
        c->fence = first;
        c->param = p;
        c->items = qs_blocks(param->cols);
        c->item_cost = (double)param->floats / (double)c->items;
        c->dim[0] = param->constraint;
        c->dim[1] = (int32_t)param->inner;
        memcpy(c->arg, param->constraint_arg, sizeof param->constraint_arg);
        first = false;
    }
}

void qs_graph_differentiate(qs_graph *g)
{
    if (g->out_of_memory || !g->options.train)
        return;
    find_wants(g);
    for (size_t k = g->section[QS_FORWARD].count; k > 0; k--) {
        const qs_call call = ((const qs_call *)g->section[QS_FORWARD].at)[k - 1];
        if (call.modes & QS_TRAIN)
            qs_op_gradient(g, &call);
    }
    if (g->options.keep_gradients)
        return;
    append_updates(g);
    append_constraints(g);
}

/* Give every tensor and parameter its place; a step's memory is their sum. */
static void place(qs_graph *g, qs_program *p)
{
    for (size_t i = 0; i < p->tensors; i++) {
        qs_tensor *t = &p->tensor[i];
        size_t *end = t->space == QS_FIXED ? &p->fixed_floats : &p->lane_floats;
        t->offset = *end;
        *end += t->features;
    }
    for (size_t i = 0; i < p->params; i++) {
        p->param[i].offset = p->param_floats;
        p->param_floats += p->param[i].floats;
        p->any_kept |= p->param[i].kept;
    }
    p->max_batch = g->options.max_batch;
    p->slots = g->options.slots;
    p->optim = g->options.optim;
    p->clip_value = g->options.clip_value;
    p->slice_sums = g->slice_sums;
    p->item_sums = g->item_sums;
    p->penalties = g->penalties;
    for (size_t k = 0; k < p->calls; k++) {
        p->train_flops += p->call[k].modes & QS_TRAIN ? p->call[k].flops : 0;
        p->predict_flops += p->call[k].modes & QS_PREDICT ? p->call[k].flops : 0;
    }
}

static void *copied(qs_arena *arena, const void *from, size_t count, size_t size)
{
    void *to = qs_arena_alloc(arena, count + 1, size);
    return to && count ? memcpy(to, from, count * size) : to;
}

qs_status qs_graph_close(qs_graph *g, qs_program **out, qs_error *err)
{
    size_t calls = 0;
    for (int s = 0; s < QS_SECTIONS; s++)
        calls += g->section[s].count;
    qs_program *p = g->out_of_memory ? NULL : qs_calloc(1, sizeof *p);
    if (!p)
        return qs_fail_memory(err, (double)(calls * sizeof(qs_call)), "the program");
    p->arena = g->constants;
    g->constants = (qs_arena){0};
    p->call = qs_arena_alloc(&p->arena, calls + 1, sizeof *p->call);
    p->tensor = copied(&p->arena, g->tensor.at, g->tensor.count, sizeof *p->tensor);
    p->param = copied(&p->arena, g->param.at, g->param.count, sizeof *p->param);
    if (!p->call || !p->tensor || !p->param) {
        qs_program_free(p);
        return qs_fail_memory(err, (double)(calls * sizeof(qs_call)), "the program");
    }
    p->tensors = g->tensor.count;
    p->params = g->param.count;
    for (int s = 0; s < QS_SECTIONS; s++) {
        if (g->section[s].count)
            memcpy(p->call + p->calls, g->section[s].at, g->section[s].count * sizeof *p->call);
        p->calls += g->section[s].count;
    }
    place(g, p);
    *out = p;
    return QS_OK;
}

void qs_program_free(qs_program *p)
{
    if (!p)
        return;
    qs_arena_free(&p->arena);
    qs_free(p);
}
