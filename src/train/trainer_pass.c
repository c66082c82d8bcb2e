/* SPDX-License-Identifier: MIT */
/* trainer_pass.c - steps: over a feeder, or of arrays in memory. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "kernels/rows.h"
#include "train/fit.h"
#include "train/trainer_parts.h"

/* ---- checks ---- */

static qs_status check_labels(const qs_trainer *t, const qs_rows *rows, qs_error *err)
{
    if (rows->outputs && rows->outputs != t->outputs)
        return qs_fail(err, QS_E_SHAPE, "labels have %zu numbers a sample, the model gives %zu",
                       rows->outputs, t->outputs);
    if (!rows->outputs && qs_model_classes(t->model) != t->outputs)
        return qs_fail(err, QS_E_SHAPE,
                       "one class a sample, but the model gives rows of %zu outputs, %zu in all",
                       qs_model_classes(t->model), t->outputs);
    for (size_t i = 0; !rows->outputs && t->outputs > 1 && i < rows->n; i++) {
        const int64_t label = qs_class_at(rows, qs_row_of(rows, i));
        if (label < 0 || label >= (int64_t)t->outputs)
            return qs_fail(err, QS_E_DATA,
                           "sample %zu: label %lld, but the model has outputs 0 to %zu",
                           qs_row_of(rows, i), (long long)label, t->outputs - 1);
    }
    return QS_OK;
}

qs_status qs_trainer_check_rows(const qs_trainer *t, const qs_rows *rows, qs_error *err)
{
    if (rows->features != t->program->features)
        return qs_fail(err, QS_E_SHAPE, "a sample has %zu elements, the model takes %zu",
                       rows->features, t->program->features);
    return rows->y ? check_labels(t, rows, err) : QS_OK;
}

static qs_status label_rows(const qs_array *y, qs_rows *rows, qs_error *err)
{
    qs_shape shape = {.rank = y->rank - 1};
    if (y->rank < 1 || y->dim[0] != rows->n)
        return qs_fail(err, QS_E_SHAPE, "labels for %zu samples, but %zu samples",
                       y->rank < 1 ? 0 : y->dim[0], rows->n);
    for (int k = 1; k < y->rank; k++)
        shape.dim[k - 1] = y->dim[k];
    if (y->dtype == QS_F64 || (y->dtype != QS_F32 && qs_shape_count(&shape) != 1))
        return qs_fail(err, QS_E_ARG, "labels of type %s; give f32 numbers or one integer a sample",
                       qs_dtype_name(y->dtype));
    rows->y = y->data;
    rows->y_type = y->dtype;
    rows->outputs = y->dtype == QS_F32 ? qs_shape_count(&shape) : 0;
    return QS_OK;
}

qs_status qs_trainer_rows(const qs_trainer *t, const qs_array *x, const qs_array *y,
                          const qs_array *w, qs_rows *rows, qs_error *err)
{
    qs_shape shape = {.rank = x->rank - 1};
    if (x->rank < 1 || !x->dim[0])
        return qs_fail(err, QS_E_SHAPE, "no samples; x needs a first axis of at least 1");
    for (int k = 1; k < x->rank; k++)
        shape.dim[k - 1] = x->dim[k];
    *rows = (qs_rows){
        .n = x->dim[0], .x = x->data, .x_type = x->dtype, .features = qs_shape_count(&shape)};
    if (y)
        QS_TRY(label_rows(y, rows, err));
    if (w && (w->dtype != QS_F32 || w->rank != 1 || w->dim[0] != rows->n))
        return qs_fail(err, QS_E_SHAPE, "sample weights must be f32 [%zu]", rows->n);
    rows->weight = w ? w->data : NULL;
    return qs_trainer_check_rows(t, rows, err);
}

/* ---- one pass ---- */

typedef struct pass_loop {
    qs_trainer *t;
    const qs_pass *pass;
    qs_sums *sums;
    bool training;

    bool stop;
    size_t done;
    qs_status status;
    qs_error *err;
    uint64_t *confusion; /* [outputs, outputs] or NULL */
} pass_loop;

static bool fails(pass_loop *l, qs_status status)
{
    l->status = status;
    return status != QS_OK;
}

static bool wants_more(const pass_loop *l)
{
    const qs_pass *p = l->pass;
    return !l->stop && l->status == QS_OK && !(p->stop && atomic_load(p->stop)) &&
           !(p->max_steps && l->done == p->max_steps);
}

bool qs_trainer_zero_one(const qs_trainer *t, const qs_rows *rows)
{
    const bool one_hot = !rows->outputs && t->outputs > 1;
    return t->zero_one && (one_hot || qs_rows_zero_one(rows));
}

static bool next_step(void *self, qs_step *step)
{
    pass_loop *l = self;
    qs_trainer *t = l->t;
    if (!wants_more(l) || fails(l, qs_feeder_next(l->pass->feeder, &step->rows, l->err)) ||
        !step->rows.n || fails(l, qs_trainer_check_rows(t, &step->rows, l->err)))
        return false;
    const uint64_t number = l->pass->first_step + l->done;
    step->training = l->training;
    step->key = qs_key(t->seed, l->pass->epoch, number);
    step->class_weight = l->pass->class_weight;
    step->zero_one = qs_trainer_zero_one(t, &step->rows);
    if (l->training)
        qs_trainer_prepare_update(t, step);
    return true;
}

double qs_trainer_step_loss(const qs_trainer *t, const qs_step *step, const double *slice_sum,
                            const double *item_sum)
{
    double loss = slice_sum[0] / (double)step->rows.n;
    for (size_t k = 0; k < t->program->penalties; k++)
        loss += item_sum[k];
    return loss;
}

/* The loss is not finite: say where the numbers broke first. */
static qs_status not_finite(const qs_trainer *t, size_t step, double loss, qs_error *err)
{
    const int call = qs_exec_first_bad(t->exec);
    const int layer = call < 0 ? -1 : t->program->call[call].layer;
    const char *where = layer < 0 ? "the loss" : t->model->layer[layer].name;
    return qs_fail(err, QS_E_NAN,
                   "step %zu: the loss is %s; %s was the first to give NaN or Inf; likely the "
                   "learning rate (%g) is too high: lower it or clip gradients (clipnorm=1)",
                   step + 1, isnan(loss) ? "NaN" : "infinite", where, qs_trainer_learning_rate(t));
}

static void show_progress(const pass_loop *l)
{
    qs_progress_cell *cell = l->pass->progress;
    const qs_sums *s = l->sums;
    if (!cell)
        return;
    atomic_store_explicit(&cell->step, l->pass->first_step + l->done, memory_order_relaxed);
    atomic_store_explicit(&cell->samples, s->samples, memory_order_relaxed);
    atomic_store_explicit(&cell->loss, s->loss / s->weight, memory_order_relaxed);
    for (int m = 0; m < l->t->compile.metrics; m++)
        atomic_store_explicit(&cell->value[m], qs_metric_value(l->t->metric[m], s->metric[m]),
                              memory_order_relaxed);
}

static void count_confusion(const pass_loop *l, const qs_rows *rows)
{
    const size_t k = l->t->outputs, classes = k == 1 ? 2 : k;
    for (size_t i = 0; i < rows->n; i++) {
        size_t best = 0, label = qs_class_of(rows, qs_row_of(rows, i));
        qs_exec_output(l->t->exec, i, l->t->row);
        for (size_t c = 1; c < k; c++)
            if (l->t->row[c] > l->t->row[best])
                best = c;
        if (k == 1)
            best = l->t->row[0] > 0.5f;
        if (label < classes)
            l->confusion[label * classes + best]++;
    }
}

static void step_done(void *self, const qs_step *step, const double *slice_sum,
                      const double *item_sum)
{
    pass_loop *l = self;
    qs_trainer *t = l->t;
    qs_sums *s = l->sums;
    const double n = (double)step->rows.n;
    const double loss = qs_trainer_step_loss(t, step, slice_sum, item_sum);
    if (!isfinite(loss) && l->training) {
        l->status = not_finite(t, l->pass->first_step + l->done, loss, l->err);
        return;
    }
    s->loss += loss * n;
    s->weight += n;
    for (int m = 0; m < t->compile.metrics; m++)
        for (int k = 0; k < 2; k++)
            s->metric[m][k] += slice_sum[t->program->metric_sum[m] + k];
    s->samples += step->rows.n;
    s->steps++;
    if (l->pass->step_loss)
        l->pass->step_loss[l->done] = loss;
    if (l->confusion)
        count_confusion(l, &step->rows);
    l->done++;
    if (l->training)
        t->iterations++;
    show_progress(l);
    if (l->pass->on_step && l->pass->on_step(l->pass->self, l->pass->first_step + l->done, loss))
        l->stop = true;
}

static qs_status run_pass(qs_trainer *t, const qs_pass *pass, bool training, uint64_t *confusion,
                          qs_sums *sums, qs_error *err)
{
    pass_loop loop = {.t = t,
                      .pass = pass,
                      .sums = sums,
                      .training = training,
                      .confusion = confusion,
                      .err = err};
    const size_t before = qs_alloc_bytes();
    qs_exec_run(t->exec, &(qs_loop){.mode = training ? QS_TRAIN : QS_EVALUATE,
                                    .next = next_step,
                                    .done = step_done,
                                    .self = &loop});
    t->allocated += training ? qs_alloc_bytes() - before : 0;
    return loop.status;
}

qs_status qs_trainer_train_pass(qs_trainer *t, const qs_pass *pass, qs_sums *sums, qs_error *err)
{
    return run_pass(t, pass, true, NULL, sums, err);
}

qs_status qs_trainer_eval_pass(qs_trainer *t, const qs_pass *pass, qs_sums *sums, qs_error *err)
{
    return run_pass(t, pass, false, NULL, sums, err);
}

void qs_trainer_scores(const qs_trainer *t, const qs_sums *sums, qs_scores *out)
{
    *out = (qs_scores){.loss = sums->weight > 0 ? sums->loss / sums->weight : 0,
                       .metrics = t->compile.metrics,
                       .samples = sums->samples};
    for (int m = 0; m < t->compile.metrics; m++) {
        out->name[m] = t->metric_name[m];
        out->value[m] = qs_metric_value(t->metric[m], sums->metric[m]);
    }
}

/* ---- sets and arrays ---- */

static qs_status feed(const qs_trainer *t, const qs_data *data, bool shuffle, qs_feeder **out,
                      qs_error *err)
{
    return qs_feeder_open(data,
                          &(qs_feeder_options){.batch = t->batch,
                                               .shuffle = shuffle,
                                               .seed = t->seed,
                                               .resident = -1,
                                               .prefetch = -1,
                                               .workers = -1},
                          out, err);
}

qs_status qs_trainer_epoch(qs_trainer *t, const qs_data *data, qs_epoch *out, qs_error *err)
{
    qs_feeder *feeder;
    QS_TRY(qs_fit_check(t->model, data, "training", err));
    QS_TRY(feed(t, data, true, &feeder, err));
    const size_t batches = qs_feeder_batches(feeder);
    const uint64_t epoch = t->iterations / batches + 1;
    *out = (qs_epoch){.epoch = (size_t)epoch, .learning_rate = qs_trainer_learning_rate(t)};
    const double start = qs_now();
    qs_sums sums = {0};
    qs_status status = qs_feeder_start(feeder, epoch, 0, err);
    if (status == QS_OK)
        status = qs_trainer_train_pass(t, &(qs_pass){.feeder = feeder, .epoch = epoch}, &sums, err);
    qs_trainer_scores(t, &sums, &out->train);
    out->seconds = qs_now() - start;
    out->seconds_waiting = qs_feeder_waited(feeder);
    out->steps = sums.steps;
    qs_feeder_close(feeder);
    return status;
}

qs_status qs_trainer_evaluate(qs_trainer *t, const qs_data *data, qs_scores *out,
                              uint64_t *confusion, qs_error *err)
{
    qs_feeder *feeder;
    QS_TRY(qs_fit_check(t->model, data, "evaluation", err));
    QS_TRY(feed(t, data, false, &feeder, err));
    qs_sums sums = {0};
    qs_status status = qs_feeder_start(feeder, 1, 0, err);
    if (status == QS_OK)
        status =
            run_pass(t, &(qs_pass){.feeder = feeder, .epoch = 1}, false, confusion, &sums, err);
    qs_feeder_close(feeder);
    if (status == QS_OK)
        qs_trainer_scores(t, &sums, out);
    return status;
}

/* A batch that lies in memory: one step. */
typedef struct single {
    qs_trainer *t;
    const qs_rows *rows;
    bool begun;
    double loss;
} single;

static bool next_single(void *self, qs_step *step)
{
    single *s = self;
    if (s->begun)
        return false;
    s->begun = true;
    *step = (qs_step){.rows = *s->rows,
                      .training = true,
                      .key = qs_key(s->t->seed, 0, s->t->iterations),
                      .zero_one = qs_trainer_zero_one(s->t, s->rows)};
    qs_trainer_prepare_update(s->t, step);
    return true;
}

static void single_done(void *self, const qs_step *step, const double *slice_sum,
                        const double *item_sum)
{
    single *s = self;
    s->loss = qs_trainer_step_loss(s->t, step, slice_sum, item_sum);
    s->t->iterations++;
}

qs_status qs_trainer_step(qs_trainer *t, const qs_array *x, const qs_array *y, const qs_array *w,
                          double *loss, qs_error *err)
{
    qs_rows rows;
    if (!y)
        return qs_fail(err, QS_E_ARG, "a step needs labels");
    QS_TRY(qs_trainer_rows(t, x, y, w, &rows, err));
    if (rows.n > t->compile.max_batch)
        return qs_fail(err, QS_E_ARG, "%zu samples in one step; this trainer takes at most %zu",
                       rows.n, t->compile.max_batch);
    single s = {.t = t, .rows = &rows};
    qs_exec_run(t->exec,
                &(qs_loop){.mode = QS_TRAIN, .next = next_single, .done = single_done, .self = &s});
    if (!isfinite(s.loss))
        return not_finite(t, (size_t)t->iterations - 1, s.loss, err);
    if (loss)
        *loss = s.loss;
    return QS_OK;
}

/* ---- predicting ---- */

typedef struct predict_loop {
    qs_trainer *t;
    qs_feeder *feeder; /* or, where NULL, rows of one array */
    qs_rows rows;
    size_t done;
    float *y;
    qs_status status;
    qs_error *err;
} predict_loop;

/* The next batch of the array: rows done … done + batch - 1. */
static void slice_rows(predict_loop *l, qs_rows *out)
{
    const size_t bytes = l->rows.features * qs_dtype_bytes(l->rows.x_type);
    *out = l->rows;
    out->x = (const char *)l->rows.x + l->done * bytes;
    out->n = qs_min(l->t->compile.max_batch, l->rows.n - l->done);
}

static bool next_predict(void *self, qs_step *step)
{
    predict_loop *l = self;
    *step = (qs_step){0};
    if (!l->feeder)
        slice_rows(l, &step->rows);
    else
        l->status = qs_feeder_next(l->feeder, &step->rows, l->err);
    return l->status == QS_OK && step->rows.n > 0;
}

static void predict_done(void *self, const qs_step *step, const double *slice_sum,
                         const double *item_sum)
{
    (void)slice_sum, (void)item_sum;
    predict_loop *l = self;
    for (size_t i = 0; i < step->rows.n; i++)
        qs_exec_output(l->t->exec, i, l->y + (l->done + i) * l->t->outputs);
    l->done += step->rows.n;
}

static qs_status predict(predict_loop *l)
{
    qs_exec_run(
        l->t->exec,
        &(qs_loop){.mode = QS_PREDICT, .next = next_predict, .done = predict_done, .self = l});
    return l->status;
}

qs_status qs_trainer_predict(qs_trainer *t, const qs_array *x, float *y, qs_error *err)
{
    predict_loop l = {.t = t, .y = y, .err = err};
    QS_TRY(qs_trainer_rows(t, x, NULL, NULL, &l.rows, err));
    return predict(&l);
}

qs_status qs_trainer_predict_data(qs_trainer *t, const qs_data *data, float *y, qs_error *err)
{
    predict_loop l = {.t = t, .y = y, .err = err};
    const size_t features = qs_shape_count(&data->sample);
    if (features != t->program->features)
        return qs_fail(err, QS_E_SHAPE, "a sample has %zu elements, the model takes %zu", features,
                       t->program->features);
    QS_TRY(feed(t, data, false, &l.feeder, err));
    l.status = qs_feeder_start(l.feeder, 1, 0, err);
    const qs_status status = l.status == QS_OK ? predict(&l) : l.status;
    qs_feeder_close(l.feeder);
    return status;
}
