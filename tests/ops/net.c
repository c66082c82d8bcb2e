/* SPDX-License-Identifier: MIT */
/* net.c - from the text of a case to a trainer, a batch and a program that keeps gradients. */
#include "net.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"

/* ---- the model ---- */

static qs_status add_layer(qs_model *model, const char *text, size_t bytes, qs_error *err)
{
    char spec[256];
    const bool frozen = text[0] == '!';
    const qs_spec *made;
    if (bytes >= sizeof spec)
        return qs_fail(err, QS_E_ARG, "layer longer than %zu", sizeof spec);
    memcpy(spec, text + frozen, bytes - frozen);
    spec[bytes - frozen] = 0;
    QS_TRY(qs_spec_parse(&model->arena, &qs_layer_registry, spec, &made, err));
    return qs_model_add_spec(model, made, NULL, !frozen, err);
}

static qs_status make_model(net *n, const net_case *c, qs_error *err)
{
    size_t shape[QS_MAX_RANK];
    int rank = 0;
    for (const char *p = c->input; *p; p++)
        if (*p != ',') {
            shape[rank] = 0;
            for (; *p >= '0' && *p <= '9'; p++)
                shape[rank] = 10 * shape[rank] + (size_t)(*p - '0');
            p--;
            rank++;
        }
    QS_TRY(qs_model_create(shape, rank, &n->model, err));
    for (const char *p = c->layers; *p;) {
        const size_t bytes = strcspn(p, "|");
        QS_TRY(add_layer(n->model, p, bytes, err));
        p += bytes + (p[bytes] == '|');
    }
    return QS_OK;
}

/* Away from the zeros and ones that biases and scales begin with; variances stay positive. */
static void shake_weights(qs_model *model, uint64_t seed)
{
    for (int w = 0; w < model->weights; w++) {
        const bool variance = strstr(model->weight[w].name, "variance") != NULL;
        for (size_t i = 0; i < qs_shape_count(&model->weight[w].shape); i++) {
            const double shift = 0.3 * qs_normal(qs_key(seed, 1, (uint64_t)w), i);
            model->weight[w].data[i] += (float)(variance ? fabs(shift) : shift);
        }
    }
}

/* ---- the batch ---- */

static float label_of(net_labels kind, uint64_t key, size_t i)
{
    const double u = qs_uniform(key, i);
    switch (kind) {
    case NET_VALUES:
        return (float)(2 * u - 1);
    case NET_BITS:
        return u < 0.5 ? 0 : 1;
    default:
        return (float)(0.2 + 0.7 * u);
    }
}

/* Rows of `outputs` numbers become one-hot, or sum to 1. */
static void shape_rows(net *n, net_labels kind, size_t rows, size_t outputs)
{
    for (size_t r = 0; r < rows; r++) {
        float *y = n->y + r * outputs, sum = 0;
        size_t top = 0;
        for (size_t k = 0; k < outputs; k++) {
            sum += y[k];
            top = y[k] > y[top] ? k : top;
        }
        for (size_t k = 0; k < outputs; k++)
            y[k] = kind == NET_ONE_HOT ? (k == top ? 1 : 0) : y[k] / sum;
    }
}

static void make_labels(net *n, net_labels kind, uint64_t key)
{
    const qs_shape *out = &n->model->layer[n->model->layers - 1].out;
    const size_t outputs = qs_model_outputs(n->model), last = out->dim[out->rank - 1];
    for (size_t i = 0; i < NET_SAMPLES * outputs; i++)
        n->y[i] = label_of(kind, key, i);
    if (kind == NET_ONE_HOT || kind == NET_PROBABILITIES)
        shape_rows(n, kind, NET_SAMPLES * outputs / last, last);
    n->ys = (qs_array){n->y, QS_F32, 2, {NET_SAMPLES, outputs}};
    if (kind != NET_CLASSES)
        return;
    const double classes = outputs > 1 ? (double)outputs : 2;
    for (size_t i = 0; i < NET_SAMPLES; i++)
        n->label[i] = (int32_t)(classes * qs_uniform(key, i));
    n->ys = (qs_array){n->label, QS_I32, 1, {NET_SAMPLES}};
}

static void make_batch(net *n, const net_case *c, uint64_t seed)
{
    const qs_shape *in = &n->model->input;
    const size_t features = qs_shape_count(in);
    n->xs = (qs_array){n->x, QS_F32, 1 + in->rank, {NET_SAMPLES}};
    memcpy(n->xs.dim + 1, in->dim, (size_t)in->rank * sizeof *in->dim);
    for (size_t i = 0; i < NET_SAMPLES * features; i++)
        n->x[i] = (float)qs_normal(qs_key(seed, 2, 0), i);
    for (size_t i = 0; i < NET_SAMPLES; i++)
        n->w[i] = (float)(0.3 + qs_uniform(qs_key(seed, 3, 0), i));
    n->ws = (qs_array){c->weighted ? n->w : NULL, QS_F32, 1, {NET_SAMPLES}};
    make_labels(n, c->labels, qs_key(seed, 4, 0));
}

/* ---- running ---- */

static qs_status prepare(net *n, const net_case *c, uint64_t seed, int threads, qs_error *err)
{
    qs_train_options options = QS_TRAIN_OPTIONS;
    options.loss = c->loss;
    options.optimizer = "sgd:learning_rate=0.002";
    options.metrics = "";
    options.batch = NET_SAMPLES;
    options.threads = threads;
    options.seed = seed;
    QS_TRY(make_model(n, c, err));
    QS_TRY(qs_model_init(n->model, seed, err));
    shake_weights(n->model, seed);
    QS_TRY(qs_trainer_open(n->model, &options, &n->trainer, err));
    make_batch(n, c, seed);
    QS_TRY(qs_trainer_rows(n->trainer, &n->xs, &n->ys, n->ws.data ? &n->ws : NULL, &n->step.rows,
                           err));
    n->step.training = true;
    n->step.key = n->trainer->seed;
    n->step.zero_one = qs_trainer_zero_one(n->trainer, &n->step.rows);
    qs_compile_options kept = n->trainer->compile;
    kept.keep_gradients = true;
    QS_TRY(qs_compile(n->model, &kept, &n->program, err));
    return qs_exec_open(n->program, 1, &n->exec, err);
}

qs_status net_open(net *n, const net_case *c, uint64_t seed, int threads, qs_error *err)
{
    memset(n, 0, sizeof *n);
    const qs_status status = prepare(n, c, seed, threads, err);
    if (status != QS_OK)
        net_close(n);
    return status;
}

void net_close(net *n)
{
    qs_exec_close(n->exec);
    qs_program_free(n->program);
    qs_trainer_close(n->trainer);
    qs_model_close(n->model);
}

typedef struct once {
    net *n;
    bool begun;
} once;

static bool next(void *self, qs_step *step)
{
    once *o = self;
    *step = o->n->step;
    return !o->begun && (o->begun = true);
}

static void done(void *self, const qs_step *step, const double *slice_sum, const double *item_sum)
{
    const once *o = self;
    o->n->loss = qs_trainer_step_loss(o->n->trainer, step, slice_sum, item_sum);
}

double net_loss(net *n)
{
    for (int p = 0; p < (int)n->program->params; p++) {
        const qs_param *param = &n->program->param[p];
        float *to = qs_exec_weight(n->exec, p);
        const float *from = n->model->weight[param->weight].data;
        if (param->matrix)
            qs_blocked_pack(param->rows, param->cols, from, to);
        else
            memcpy(to, from, param->cols * sizeof *to);
    }
    once o = {.n = n};
    qs_exec_run(n->exec, &(qs_loop){.mode = QS_TRAIN, .next = next, .done = done, .self = &o});
    return n->loss;
}

qs_status net_gradient(net *n, int index, float *out, qs_error *err)
{
    return qs_trainer_gradient(n->trainer, &n->xs, &n->ys, n->ws.data ? &n->ws : NULL,
                               (size_t)index, out, err);
}

/* ---- lists ---- */

int net_count(const ops_options *o)
{
    net_case c;
    int count = 0;
    for (size_t i = 0; net_case_at(i, &c); i++)
        count += ops_wanted(o, c.name);
    return count;
}

int net_list(const ops_options *o)
{
    net_case c;
    for (size_t i = 0; net_case_at(i, &c); i++)
        if (ops_wanted(o, c.name))
            printf("%s\n", c.name);
    return 0;
}

void net_print(const net_case *c)
{
    printf("# sample %s, layers %s, loss %s\n", c->input, c->layers, c->loss);
}
