/* SPDX-License-Identifier: MIT */
/* exec.c - the CPU executor. */
#include "graph/exec.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/memory.h"
#include "device/cpu/cpu.h"
#include "graph/graph.h"
#include "kernels/kernels.h"

enum { MODES = 3, BLOCKS = 2 + QS_OPTIM_SLOTS };

/* A stretch of items of one call: what a thread takes at a time. */
typedef struct work {
    const qs_call *call;
    size_t item, items;
} work;

typedef struct group {
    qs_axis axis;
    const qs_call **call; /* SLICE: run for each slice, in order */
    size_t calls;
    work *work; /* ITEM */
    size_t works;
    atomic_size_t next; /* ITEM: the next work to take */
} group;

typedef struct plan {
    group *group;
    size_t groups;
} plan;

struct qs_exec {
    const qs_program *program;
    const qs_kernel_tables *tables;
    qs_arena arena;
    qs_pool *pool;
    const qs_tap *tap;
    plan plan[MODES];
    size_t max_lanes, bytes;
    float *block[BLOCKS]; /* weights, gradients or NULL, slots; [param_floats] each */
    float *lane_block;    /* activations and packed tensors */
    float *fixed_block;
    qs_param_args *param;
    double *slice_sum, *sum, *item_sum;
    /* of the present run */
    const qs_loop *loop;
    const plan *now;
    qs_step step;
    qs_slicing slicing;
    bool go, running;
};

/* ---- operands ---- */

static float *tensor_start(const qs_exec *e, int tensor)
{
    const qs_tensor *t = &e->program->tensor[tensor];
    return t->space == QS_FIXED ? e->fixed_block + t->offset
                                : e->lane_block + t->offset * e->max_lanes;
}

/* What a kernel is given for an operand: of an activation in a SLICE call, the slice's part. */
static float *operand(const qs_exec *e, int operand, size_t first_lane)
{
    if (operand == QS_NO_TENSOR)
        return NULL;
    if (operand < 0)
        return e->param[qs_operand_param(operand)].weight;
    const qs_tensor *t = &e->program->tensor[operand];
    return tensor_start(e, operand) + (t->space == QS_ACTIVATION ? t->features * first_lane : 0);
}

static qs_kernel_args args_of(const qs_exec *e, const qs_call *c, size_t first_lane)
{
    qs_kernel_args a = {.dim = c->dim,
                        .arg = c->arg,
                        .step = &e->step,
                        .slicing = &e->slicing,
                        .first = first_lane,
                        .param = c->param == QS_NO_PARAM ? NULL : &e->param[c->param],
                        .bias = c->bias == QS_NO_PARAM ? NULL : &e->param[c->bias],
                        .tables = e->tables};
    for (int i = 0; i < QS_IN; i++)
        a.in[i] = operand(e, c->in[i], first_lane);
    for (int i = 0; i < QS_OUT; i++)
        a.out[i] = operand(e, c->out[i], first_lane);
    return a;
}

/* ---- running ---- */

static void run_kernel(const qs_exec *e, const qs_call *c, const qs_kernel_args *a, int thread)
{
    const qs_kernel kernel = e->tables->op[c->op];
    if (!e->tap) {
        kernel(a);
        return;
    }
    const double start = qs_now();
    kernel(a);
    e->tap->span(e->tap->self, &(qs_span){.kind = QS_SPAN_CALL,
                                          .id = (uint32_t)(c - e->program->call),
                                          .lane = (uint32_t)thread,
                                          .part = (uint32_t)(a->items ? a->item : a->slice),
                                          .start = start,
                                          .end = qs_now()});
}

static void run_slice(const qs_exec *e, const group *g, size_t slice, int thread)
{
    for (size_t k = 0; k < g->calls; k++) {
        const qs_call *c = g->call[k];
        qs_kernel_args a = args_of(e, c, qs_slice_first(&e->slicing, slice));
        a.slice = slice;
        a.lanes = qs_slice_lanes(&e->slicing, slice);
        a.valid = qs_slice_valid(&e->slicing, slice);
        a.sum = e->slice_sum + slice * e->program->slice_sums + c->sum;
        run_kernel(e, c, &a, thread);
    }
}

static void run_work(const qs_exec *e, const work *w, int thread)
{
    qs_kernel_args a = args_of(e, w->call, 0);
    a.item = w->item;
    a.items = w->items;
    a.sum = e->item_sum + w->call->sum;
    run_kernel(e, w->call, &a, thread);
}

static void run_group(qs_exec *e, group *g, int thread)
{
    const size_t threads = (size_t)qs_pool_threads(e->pool), me = (size_t)thread;
    const size_t slices = e->slicing.slices;
    if (g->axis == QS_AXIS_SLICE)
        for (size_t s = me * slices / threads; s < (me + 1) * slices / threads; s++)
            run_slice(e, g, s, thread);
    else
        for (size_t w; (w = atomic_fetch_add(&g->next, 1)) < g->works;)
            run_work(e, &g->work[w], thread);
}

/* Between two steps, alone: report the finished one, ask for the next. */
static void change_step(void *self)
{
    qs_exec *e = self;
    const qs_program *p = e->program;
    if (e->running && e->loop->done) {
        memset(e->sum, 0, p->slice_sums * sizeof *e->sum);
        for (size_t s = 0; s < e->slicing.slices; s++)
            for (size_t k = 0; k < p->slice_sums; k++)
                e->sum[k] += e->slice_sum[s * p->slice_sums + k];
        e->loop->done(e->loop->self, &e->step, e->sum, e->item_sum);
    }
    e->running = true;
    e->go = e->loop->next(e->loop->self, &e->step);
    if (!e->go)
        return;
    assert(e->step.rows.n >= 1 && e->step.rows.n <= p->max_batch);
    e->slicing = qs_slicing_of(e->step.rows.n);
    memset(e->slice_sum, 0, e->slicing.slices * p->slice_sums * sizeof *e->slice_sum);
    memset(e->item_sum, 0, p->item_sums * sizeof *e->item_sum);
    for (size_t g = 0; g < e->now->groups; g++)
        atomic_store_explicit(&e->now->group[g].next, 0, memory_order_relaxed);
}

static void tell(const qs_exec *e, qs_span_kind kind, uint32_t id, int thread, double start)
{
    e->tap->span(
        e->tap->self,
        &(qs_span){
            .kind = kind, .id = id, .lane = (uint32_t)thread, .start = start, .end = qs_now()});
}

static void meet(qs_exec *e, int thread, void (*serial)(void *self))
{
    const double start = e->tap ? qs_now() : 0;
    qs_pool_meet(e->pool, thread, serial, e);
    if (e->tap)
        tell(e, QS_SPAN_WAIT, 0, thread, start);
}

static void run_steps(void *self, int thread)
{
    qs_exec *e = self;
    double start = 0;
    for (uint32_t steps = 0;; steps++) {
        meet(e, thread, change_step);
        if (e->tap && thread == 0 && steps)
            tell(e, QS_SPAN_STEP, steps, thread, start);
        start = e->tap ? qs_now() : 0;
        if (!e->go)
            return;
        for (size_t g = 0; g < e->now->groups; g++) {
            if (g)
                meet(e, thread, NULL);
            run_group(e, &e->now->group[g], thread);
        }
    }
}

static int mode_index(qs_mode mode)
{
    return mode == QS_TRAIN ? 0 : mode == QS_EVALUATE ? 1 : 2;
}

void qs_exec_run(qs_exec *e, const qs_loop *loop)
{
    e->loop = loop;
    e->now = &e->plan[mode_index(loop->mode)];
    e->running = false;
    qs_pool_run(e->pool, run_steps, e);
}

/* ---- planning ---- */

/* Items are handed out in stretches: many enough for balance, large enough to pay for the asking. */
enum { WORK_FLOATS = 4096 };

static void plan_work(group *g, const qs_call *c)
{
    size_t step = c->item_cost >= WORK_FLOATS ? 1 : (size_t)(WORK_FLOATS / (c->item_cost + 1)) + 1;
    for (size_t i = 0; i < c->items; i += step)
        g->work[g->works++] = (work){c, i, qs_min(step, c->items - i)};
}

static qs_status make_plan(qs_exec *e, qs_mode mode, qs_error *err)
{
    const qs_program *p = e->program;
    plan *to = &e->plan[mode_index(mode)];
    size_t items = 0;
    for (size_t k = 0; k < p->calls; k++)
        items += p->call[k].items;
    group *groups = QS_NEW_N(&e->arena, group, p->calls);
    const qs_call **calls = QS_NEW_N(&e->arena, const qs_call *, p->calls);
    work *works = QS_NEW_N(&e->arena, work, items);
    if (!groups || !calls || !works)
        return qs_fail_memory(err, (double)(items * sizeof *works), "the plan");
    to->group = groups;
    for (size_t k = 0; k < p->calls; k++) {
        const qs_call *c = &p->call[k];
        if (!(c->modes & mode))
            continue;
        const qs_axis axis = qs_op_axis(c->op);
        group *g = to->groups ? &groups[to->groups - 1] : NULL;
        if (!g || g->axis != axis || c->fence) {
            g = &groups[to->groups++];
            g->axis = axis;
            g->call = calls;
            g->work = works;
        }
        if (axis == QS_AXIS_SLICE) {
            g->calls++;
            *calls++ = c;
        } else {
            plan_work(g, c);
            works = g->work + g->works;
        }
    }
    return QS_OK;
}

/* ---- memory ---- */

static qs_status take(qs_exec *e, void *out, size_t count, size_t size, qs_error *err)
{
    void *p = qs_arena_alloc(&e->arena, count ? count : 1, size);
    if (!p)
        return qs_fail_memory(err, (double)count * (double)size, "the training step");
    memcpy(out, &p, sizeof p);
    e->bytes += count * size;
    return QS_OK;
}

static qs_status take_all(qs_exec *e, qs_error *err)
{
    const qs_program *p = e->program;
    const qs_slicing most = qs_slicing_of(p->max_batch);
    e->max_lanes = qs_slice_first(&most, most.slices);
    const double floats = (double)p->param_floats * (1 + p->any_kept + p->slots) +
                          (double)p->lane_floats * (double)e->max_lanes + (double)p->fixed_floats;
    QS_TRY(qs_memory_check(sizeof(float) * floats, "the training step", err));
    for (int b = 0; b < 2 + p->slots; b++)
        if (b != 1 || p->any_kept)
            QS_TRY(take(e, &e->block[b], p->param_floats, sizeof(float), err));
    QS_TRY(take(e, &e->lane_block, p->lane_floats * e->max_lanes, sizeof(float), err));
    QS_TRY(take(e, &e->fixed_block, p->fixed_floats, sizeof(float), err));
    QS_TRY(take(e, &e->param, p->params, sizeof *e->param, err));
    /* a smaller batch may have as many slices of fewer lanes */
    QS_TRY(take(e, &e->slice_sum, (most.slices + 2) * p->slice_sums, sizeof(double), err));
    QS_TRY(take(e, &e->sum, p->slice_sums, sizeof(double), err));
    return take(e, &e->item_sum, p->item_sums, sizeof(double), err);
}

static void point_params(qs_exec *e)
{
    const qs_program *p = e->program;
    for (size_t i = 0; i < p->params; i++) {
        const qs_param *q = &p->param[i];
        e->param[i] = (qs_param_args){.matrix = q->matrix,
                                      .rows = q->rows,
                                      .cols = q->cols,
                                      .weight = e->block[0] + q->offset,
                                      .grad = q->kept ? e->block[1] + q->offset : NULL,
                                      .optim = p->optim,
                                      .l1 = q->l1,
                                      .l2 = q->l2,
                                      .clip_value = p->clip_value};
        for (int k = 0; k < p->slots; k++)
            e->param[i].slot[k] = e->block[2 + k] + q->offset;
    }
}

static void fill_constants(qs_exec *e)
{
    for (size_t t = 0; t < e->program->tensors; t++) {
        const qs_tensor *tensor = &e->program->tensor[t];
        if (tensor->constant)
            memcpy(tensor_start(e, (int)t), tensor->constant,
                   tensor->constants * sizeof *tensor->constant);
    }
}

static qs_status prepare(qs_exec *e, int threads, qs_error *err)
{
    QS_TRY(qs_pool_open(threads, &e->pool, err));
    QS_TRY(take_all(e, err));
    point_params(e);
    fill_constants(e);
    QS_TRY(make_plan(e, QS_TRAIN, err));
    QS_TRY(make_plan(e, QS_EVALUATE, err));
    return make_plan(e, QS_PREDICT, err);
}

qs_status qs_exec_open(const qs_program *program, int threads, qs_exec **out, qs_error *err)
{
    qs_exec *e = qs_calloc(1, sizeof *e);
    if (!e)
        return qs_fail_memory(err, sizeof *e, "an executor");
    e->program = program;
    e->tables = qs_kernels_best();
    const qs_status status = prepare(e, threads, err);
    if (status != QS_OK) {
        qs_exec_close(e);
        return status;
    }
    *out = e;
    return QS_OK;
}

void qs_exec_close(qs_exec *e)
{
    if (!e)
        return;
    qs_pool_close(e->pool);
    qs_arena_free(&e->arena);
    qs_free(e);
}

/* ---- looking ---- */

int qs_exec_threads(const qs_exec *e)
{
    return qs_pool_threads(e->pool);
}

const char *qs_exec_rung(const qs_exec *e)
{
    return e->tables->name;
}

size_t qs_exec_bytes(const qs_exec *e)
{
    return e->bytes;
}

void qs_exec_set_tap(qs_exec *e, const qs_tap *tap)
{
    e->tap = tap;
}

float *qs_exec_weight(qs_exec *e, int param)
{
    return e->param[param].weight;
}

float *qs_exec_grad(qs_exec *e, int param)
{
    return e->param[param].grad;
}

float *qs_exec_slot(qs_exec *e, int param, int slot)
{
    return e->param[param].slot[slot];
}

float qs_exec_value(const qs_exec *e, int tensor, size_t f, size_t i)
{
    const size_t slice = i / e->slicing.lanes, lanes = qs_slice_lanes(&e->slicing, slice);
    const size_t first = qs_slice_first(&e->slicing, slice);
    return operand(e, tensor, first)[f * lanes + i - first];
}

void qs_exec_output(const qs_exec *e, size_t i, float *out)
{
    for (size_t f = 0; f < e->program->outputs; f++)
        out[f] = qs_exec_value(e, e->program->output, f, i);
}

static bool is_finite(const qs_exec *e, int tensor)
{
    for (size_t f = 0; f < e->program->tensor[tensor].features; f++)
        for (size_t i = 0; i < e->slicing.n; i++)
            if (!isfinite(qs_exec_value(e, tensor, f, i)))
                return false;
    return true;
}

int qs_exec_first_bad(const qs_exec *e)
{
    const qs_program *p = e->program;
    for (size_t k = 0; k < p->calls; k++)
        for (int o = 0; o < QS_OUT; o++) {
            const int tensor = p->call[k].out[o];
            if ((p->call[k].modes & QS_TRAIN) && tensor >= 0 &&
                p->tensor[tensor].space == QS_ACTIVATION && !is_finite(e, tensor))
                return (int)k;
        }
    return -1;
}
