/* SPDX-License-Identifier: MIT */
/* scores.c - loss, metrics and activity penalty as calls of a program. */
#include <math.h>

#include "kernels/kernels.h"
#include "kernels/vec/ops.h"

/* loss: rows of a sample (1, or its time axis), outputs of a row, kernel, whether it takes logits;
 * metric: the last says whether samples are weighted. */
enum { ROWS, OUTPUTS, KERNEL, FLAG };

/* in: prediction or logits, targets, weights [2][lanes]; out: probabilities (logits forms) or NULL,
 * gradient or NULL. The loss of a sample is the mean over its rows. */
void QS_RUNG(qs_op_loss)(const qs_kernel_args *a)
{
    const size_t rows = (size_t)a->dim[ROWS], outputs = (size_t)a->dim[OUTPUTS];
    double sum = 0;
    for (size_t r = 0; r < rows; r++) {
        const size_t at = r * outputs * a->lanes;
        sum += a->tables->score->loss[a->dim[KERNEL]](&(qs_loss_args){
            .outputs = outputs,
            .lanes = a->lanes,
            .pred = a->in[0] + at,
            .target = a->in[1] + at,
            .weight = a->in[2],
            .scale = 1 / ((float)a->slicing->n * (float)rows),
            .zero_one = a->step->zero_one,
            .arg = a->arg,
            .prob = a->out[0] ? a->out[0] + at : NULL,
            .grad = a->out[1] && a->step->training ? a->out[1] + at : NULL,
        });
    }
    a->sum[0] += sum / (double)rows;
}

/* in: prediction, targets, weights [2][lanes], logits or NULL. */
void QS_RUNG(qs_op_metric)(const qs_kernel_args *a)
{
    const size_t outputs = (size_t)a->dim[OUTPUTS];
    for (size_t r = 0; r < (size_t)a->dim[ROWS]; r++) {
        const size_t at = r * outputs * a->lanes;
        a->tables->score->metric[a->dim[KERNEL]](
            &(qs_metric_args){
                .outputs = outputs,
                .lanes = a->lanes,
                .pred = a->in[0] + at,
                .logits = a->in[3] ? a->in[3] + at : NULL,
                .target = a->in[1] + at,
                .weight = a->in[2] + (a->dim[FLAG] ? 0 : a->lanes),
                .zero_one = a->step->zero_one,
                .arg = a->arg,
            },
            a->sum);
    }
}

/* The sum over real samples of l1 |y| + l2 y². */
static double activity_value(const qs_kernel_args *a)
{
    double sum = 0;
    for (size_t f = 0; f < (size_t)a->dim[0]; f++) {
        const float *y = a->in[0] + f * a->lanes;
        float part = 0;
        for (size_t i = 0; i < a->valid; i++)
            part += a->arg[0] * fabsf(y[i]) + a->arg[1] * y[i] * y[i];
        sum += (double)part;
    }
    return sum;
}

/* in: y; adds to the loss, or with dim[1] to y's gradient out. dim: features, gradient; arg: l1, l2.
 * Keras divides the penalty by the batch size. */
void QS_RUNG(qs_op_activity)(const qs_kernel_args *a)
{
    if (!a->dim[1]) {
        a->sum[0] += activity_value(a);
        return;
    }
    const float l1 = a->arg[0] / (float)a->slicing->n, l2 = 2 * a->arg[1] / (float)a->slicing->n;
    for (size_t f = 0; f < (size_t)a->dim[0]; f++)
        for (size_t i = f * a->lanes; i < f * a->lanes + a->valid; i++) {
            const float y = a->in[0][i];
            a->out[0][i] += l2 * y + l1 * (float)((y > 0) - (y < 0));
        }
}
