/* SPDX-License-Identifier: MIT */
/* trainer_state.c - weights and optimizer state between the model (Keras' layout) and the executor
 * (blocks). */
#include <string.h>

#include "base/alloc.h"
#include "nn/schedule.h"
#include "train/trainer_parts.h"

static void to_exec(const qs_param *p, const float *from, float *to)
{
    if (p->matrix)
        qs_blocked_pack(p->rows, p->cols, from, to);
    else
        memcpy(to, from, p->cols * sizeof *to);
}

static void from_exec(const qs_param *p, const float *from, float *to)
{
    if (p->matrix)
        qs_blocked_unpack(p->rows, p->cols, from, to);
    else
        memcpy(to, from, p->cols * sizeof *to);
}

/* state NULL: as at the start. */
static void load_slots(qs_trainer *t, const qs_optim_state *state, int param)
{
    const qs_param *p = &t->program->param[param];
    for (int k = 0; k < t->program->slots; k++) {
        float *slot = qs_exec_slot(t->exec, param, k);
        const float start = (float)qs_optim_slot_start(t->compile.optimizer, k);
        for (size_t i = 0; i < p->floats; i++)
            slot[i] = start;
        if (state && state->slot[k][p->weight])
            to_exec(p, state->slot[k][p->weight], slot);
    }
}

void qs_trainer_begin(qs_trainer *t, const qs_model *model, bool going_on)
{
    const qs_optim_state *state = going_on ? &model->optim : NULL;
    for (int p = 0; p < (int)t->program->params; p++) {
        const qs_param *param = &t->program->param[p];
        to_exec(param, model->weight[param->weight].data, qs_exec_weight(t->exec, p));
        load_slots(t, state, p);
    }
    t->iterations = state ? state->iterations : 0;
    t->scalar = state ? state->scalar : 1;
    if (state && state->learning_rate > 0 && !t->schedule)
        t->learning_rate = state->learning_rate;
}

qs_status qs_trainer_load(qs_trainer *t, const qs_model *model, qs_error *err)
{
    if (model->optim.present && model->optim.slots != t->program->slots)
        return qs_fail(err, QS_E_ARG,
                       "the saved optimizer has %d slots for each weight and %s has %d; train with "
                       "the optimizer it was saved with",
                       model->optim.slots, t->optimizer_text, t->program->slots);
    qs_trainer_begin(t, model, model->optim.present);
    return QS_OK;
}

qs_status qs_trainer_sync(qs_trainer *t, qs_error *err)
{
    qs_model *m = t->model;
    QS_TRY(qs_model_optim_alloc(m, t->program->slots, err));
    for (int p = 0; p < (int)t->program->params; p++) {
        const qs_param *param = &t->program->param[p];
        from_exec(param, qs_exec_weight(t->exec, p), m->weight[param->weight].data);
        for (int k = 0; k < t->program->slots; k++)
            if (m->optim.slot[k][param->weight])
                from_exec(param, qs_exec_slot(t->exec, p, k), m->optim.slot[k][param->weight]);
    }
    m->optim.present = true;
    m->optim.iterations = t->iterations;
    m->optim.scalar = t->scalar;
    m->optim.learning_rate = t->schedule ? 0 : t->learning_rate;
    QS_TRY(qs_model_set(m, "loss", t->loss_text, err));
    return qs_model_set(m, "optimizer", t->optimizer_text, err);
}

double qs_trainer_learning_rate(const qs_trainer *t)
{
    if (!t->schedule)
        return t->learning_rate;
    return ((const qs_schedule_kind *)t->schedule->kind)->rate(t->schedule, t->iterations);
}

qs_status qs_trainer_set_learning_rate(qs_trainer *t, double rate, qs_error *err)
{
    if (t->schedule)
        return qs_fail(err, QS_E_ARG, "the learning rate follows schedule %s; give a number",
                       t->schedule->kind->name);
    t->learning_rate = rate;
    return QS_OK;
}

void qs_trainer_prepare_update(qs_trainer *t, qs_step *step)
{
    qs_optim_prepare(t->compile.optimizer,
                     &(qs_optim_now){.step = t->iterations + 1,
                                     .learning_rate = qs_trainer_learning_rate(t),
                                     .scalar = &t->scalar},
                     step->optim);
}

/* Gradients come from a program of their own, compiled to keep them. */
typedef struct gradient_loop {
    qs_step step;
    bool begun;
} gradient_loop;

static bool next_gradient(void *self, qs_step *step)
{
    gradient_loop *g = self;
    if (g->begun)
        return false;
    g->begun = true;
    *step = g->step;
    return true;
}

/* The gradient of one parameter with its penalty's, in Keras' layout. */
static void read_gradient(const qs_exec *exec, const qs_param *p, const float *weight,
                          const float *grad, float *out)
{
    (void)exec;
    from_exec(p, grad, out);
    for (size_t i = 0; i < p->rows * p->cols; i++) {
        const float w = weight[i];
        out[i] += 2 * p->l2 * w + p->l1 * (float)((w > 0) - (w < 0));
    }
}

static qs_status run_gradient(qs_trainer *t, const qs_program *program, const qs_rows *rows,
                              size_t index, float *out, qs_error *err)
{
    qs_exec *exec;
    QS_TRY(qs_exec_open(program, 1, &exec, err));
    int found = -1;
    for (int p = 0; p < (int)program->params; p++) {
        const qs_param *param = &program->param[p];
        to_exec(param, t->model->weight[param->weight].data, qs_exec_weight(exec, p));
        if (param->weight == (int)index && param->kept)
            found = p;
    }
    gradient_loop loop = {.step = {.rows = *rows,
                                   .training = true,
                                   .zero_one = qs_trainer_zero_one(t, rows),
                                   .key = t->seed}};
    if (found >= 0) {
        qs_exec_run(exec, &(qs_loop){.mode = QS_TRAIN, .next = next_gradient, .self = &loop});
        read_gradient(exec, &program->param[found], t->model->weight[index].data,
                      qs_exec_grad(exec, found), out);
    }
    qs_exec_close(exec);
    return found >= 0 ? QS_OK : qs_fail(err, QS_E_ARG, "weight %zu is not trained", index);
}

qs_status qs_trainer_gradient(qs_trainer *t, const qs_array *x, const qs_array *y,
                              const qs_array *w, size_t index, float *out, qs_error *err)
{
    if (index >= (size_t)t->model->weights)
        return qs_fail(err, QS_E_ARG, "no weight %zu, there are %d", index, t->model->weights);
    qs_rows rows;
    QS_TRY(qs_trainer_sync(t, err));
    QS_TRY(qs_trainer_rows(t, x, y, w, &rows, err));
    qs_compile_options options = t->compile;
    options.keep_gradients = true;
    options.max_batch = rows.n;
    qs_program *program;
    QS_TRY(qs_compile(t->model, &options, &program, err));
    const qs_status status = run_gradient(t, program, &rows, index, out, err);
    qs_program_free(program);
    return status;
}
