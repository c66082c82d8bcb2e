/* SPDX-License-Identifier: MIT */
/* compile.c - layers, loss and metrics become calls; gradients and updates follow. */
#include "nn/compile.h"

#include <stdint.h>
#include <string.h>

#include "graph/graph.h"
#include "kernels/activation.h"
#include "kernels/kernels.h"
#include "nn/loss.h"
#include "nn/metric.h"
#include "nn/optim.h"

typedef struct ends {
    int out;    /* what the network gives */
    int logits; /* what its last softmax or sigmoid was given; QS_NO_TENSOR: it ends in neither */
    const char *last; /* "softmax", "sigmoid" or NULL */
    int targets, weights;
    size_t rows, outputs; /* of a sample: rows of its last axis */
} ends;

static double argument(const qs_spec *spec, const char *name)
{
    const qs_value *value = spec ? qs_spec_value(spec, name) : NULL;
    return value && !value->null ? value->number : 0;
}

static qs_graph_options graph_options(const qs_compile_options *o)
{
    const qs_optim_form *form = o->optimizer ? qs_optim_form_of(o->optimizer) : NULL;
    return (qs_graph_options){
        .max_batch = o->max_batch,
        .optim = form ? (int)form->update : 0,
        .slots = form && !o->keep_gradients ? form->slots : 0,
        .clip_value = (float)argument(o->optimizer, "clipvalue"),
        .clip_norm = (float)argument(o->optimizer, "clipnorm"),
        .global_clip_norm = (float)argument(o->optimizer, "global_clipnorm"),
        .keep_gradients = o->keep_gradients,
        .train = form || o->keep_gradients,
    };
}

static int emit_input(qs_graph *graph, const qs_model *model)
{
    const int x = qs_graph_activation(graph, qs_shape_count(&model->input));
    qs_call *c = qs_graph_call(graph, QS_OP_gather, QS_FORWARD, -1);
    c->out[0] = x;
    c->bytes = 5 * (double)qs_shape_count(&model->input);
    return x;
}

/* Calls carry sizes as 32-bit numbers. */
static qs_status check_size(const qs_shape *shape, const char *what, qs_error *err)
{
    char text[QS_SHAPE_TEXT];
    if (qs_shape_count(shape) <= INT32_MAX)
        return QS_OK;
    return qs_fail(err, QS_E_UNSUPPORTED, "%s is %s; at most %d numbers a sample can be computed",
                   what, qs_shape_text(shape, text), INT32_MAX);
}

static qs_status emit_layers(qs_graph *graph, const qs_model *model, int *out, qs_error *err)
{
    QS_TRY(check_size(&model->input, "the input", err));
    int x = emit_input(graph, model);
    for (int l = 0; l < model->layers; l++) {
        const qs_layer *layer = &model->layer[l];
        QS_TRY(check_size(&layer->out, layer->name, err));
        if (!layer->kind->emit)
            return qs_fail(err, QS_E_UNSUPPORTED, "layer %s (%s) cannot run on the cpu",
                           layer->name, layer->kind->kind.name);
        QS_TRY(qs_context(err, layer->kind->emit(graph, model, layer, x, &x, err), "layer %d (%s)",
                          l + 1, layer->name));
    }
    *out = x;
    return QS_OK;
}

/* Whether the network's output comes straight from a softmax or a sigmoid: then the loss is made from
 * what that was given. A layer after it, even a reshape, hides it. */
static void find_logits(const qs_graph *graph, const qs_model *model, ends *e)
{
    const qs_call *c = qs_graph_producer(graph, e->out);
    e->logits = QS_NO_TENSOR;
    e->last = NULL;
    if (!c || c->layer + 1 != model->layers)
        return;
    if (c->op == QS_OP_softmax)
        e->last = "softmax";
    else if (c->op == QS_OP_activation && c->dim[1] == QS_ACTIVATION_sigmoid)
        e->last = "sigmoid";
    if (e->last)
        e->logits = c->in[0];
}

static void emit_targets(qs_graph *graph, ends *e)
{
    const size_t outputs = e->rows * e->outputs;
    e->targets = qs_graph_activation(graph, outputs);
    e->weights = qs_graph_activation(graph, 2);
    qs_call *c = qs_graph_call(graph, QS_OP_targets, QS_FORWARD, -1);
    c->modes = QS_TRAIN | QS_EVALUATE;
    c->out[0] = e->targets;
    c->out[1] = e->weights;
    c->dim[0] = (int32_t)outputs;
}

/* Which kernel computes the loss, and from what. */
typedef struct loss_form {
    int kernel;
    bool from_logits; /* of the last activation */
    bool makes_prob;  /* the kernel's probabilities are what the network gives */
} loss_form;

static loss_form choose_form(const qs_spec *loss, const ends *e)
{
    const qs_loss_kind *kind = (const qs_loss_kind *)loss->kind;
    loss_form f = {.kernel = kind->value};
    if (kind->logits == QS_LOSS_NONE)
        return f;
    if (e->last) {
        f.from_logits = true;
        f.makes_prob = kind->fuses && strcmp(kind->fuses, e->last) == 0;
        f.kernel = kind->logits;
    } else if (argument(loss, "from_logits") != 0) {
        f.kernel = kind->logits;
    }
    return f;
}

static qs_status emit_loss(qs_graph *graph, const qs_spec *loss, const ends *e, qs_error *err)
{
    const loss_form f = choose_form(loss, e);
    const int pred = f.from_logits ? e->logits : e->out;
    if (f.from_logits && qs_graph_has_activity(graph, e->out))
        return qs_fail(err, QS_E_UNSUPPORTED,
                       "an activity penalty on the output's %s cannot be combined with loss %s",
                       e->last, loss->kind->name);
    if (f.makes_prob)
        qs_graph_producer(graph, e->out)->modes = QS_PREDICT;
    const int grad =
        qs_graph_trains(graph) ? qs_graph_activation(graph, e->rows * e->outputs) : QS_NO_TENSOR;
    if (grad != QS_NO_TENSOR)
        qs_graph_set_grad(graph, pred, grad);
    qs_call *c = qs_graph_call(graph, QS_OP_loss, QS_FORWARD, -1);
    c->modes = QS_TRAIN | QS_EVALUATE;
    c->in[0] = pred;
    c->in[1] = e->targets;
    c->in[2] = e->weights;
    c->out[0] = f.makes_prob ? e->out : QS_NO_TENSOR;
    c->out[1] = grad;
    c->dim[0] = (int32_t)e->rows;
    c->dim[1] = (int32_t)e->outputs;
    c->dim[2] = f.kernel;
    c->sums = 1; /* the first of a slice */
    qs_score_args(loss, c->arg);
    return QS_OK;
}

static int emit_metric(qs_graph *graph, const qs_spec *spec, bool weighted, const ends *e)
{
    const qs_metric_kind *kind = qs_metric_resolve((const qs_metric_kind *)spec->kind, e->outputs);
    qs_call *c = qs_graph_call(graph, QS_OP_metric, QS_FORWARD, -1);
    c->modes = QS_TRAIN | QS_EVALUATE;
    c->in[0] = e->out;
    c->in[1] = e->targets;
    c->in[2] = e->weights;
    c->in[3] = e->logits;
    c->dim[0] = (int32_t)e->rows;
    c->dim[1] = (int32_t)e->outputs;
    c->dim[2] = kind->add;
    c->dim[3] = weighted;
    qs_score_args(spec, c->arg);
    qs_graph_sums(graph, c, 2);
    return c->sum;
}

static void emit_scores(qs_graph *graph, const qs_compile_options *o, const ends *e, int *sums)
{
    for (int m = 0; m < o->metrics; m++)
        sums[m] = emit_metric(graph, o->metric[m], o->weighted[m], e);
}

static qs_status build(qs_graph *graph, const qs_model *model, const qs_compile_options *o,
                       qs_program **out, qs_error *err)
{
    ends e = {.rows = 1};
    int sums[QS_MAX_METRICS] = {0};
    QS_TRY(emit_layers(graph, model, &e.out, err));
    const qs_shape *shape = model->layers ? &model->layer[model->layers - 1].out : &model->input;
    e.outputs = shape->rank ? shape->dim[shape->rank - 1] : 1;
    e.rows = qs_shape_count(shape) / e.outputs;
    find_logits(graph, model, &e);
    if (o->loss) {
        emit_targets(graph, &e);
        QS_TRY(emit_loss(graph, o->loss, &e, err));
        emit_scores(graph, o, &e, sums);
    }
    qs_graph_penalties(graph);
    qs_graph_fuse(graph);
    qs_graph_differentiate(graph);
    qs_program *p;
    QS_TRY(qs_graph_close(graph, &p, err));
    p->features = qs_shape_count(&model->input);
    p->outputs = e.rows * e.outputs;
    p->output = e.out;
    p->metrics = o->metrics;
    memcpy(p->metric_sum, sums, sizeof sums);
    *out = p;
    return QS_OK;
}

qs_status qs_compile(const qs_model *model, const qs_compile_options *options, qs_program **out,
                     qs_error *err)
{
    const qs_graph_options wanted = graph_options(options);
    qs_graph *graph;
    QS_TRY(qs_graph_open(&wanted, &graph, err));
    const qs_status status = build(graph, model, options, out, err);
    qs_graph_free(graph);
    return status;
}
