/* SPDX-License-Identifier: MIT */
/* norm.c - batch and layer normalisation, forward and back. Formulas: Ioffe, Szegedy 2015; Ba, Kiros,
 * Hinton 2016; Keras' forms (biased variance everywhere, momentum weighs the old average).
 *
 * dim: rows, channels, frozen; arg: epsilon, momentum. Feature r * channels + c is row r, channel c.
 */
#include <math.h>
#include <string.h>

#include "kernels/vec/ops.h"

enum { ROWS, CHANNELS, FROZEN };
enum { EPSILON, MOMENTUM };

/* Visit one channel over all rows and slices: x and z (or NULL) point to its lanes. */
typedef struct channel {
    const qs_kernel_args *a;
    size_t c;
} channel;

static size_t lanes_at(const channel *ch, size_t slice, size_t row)
{
    const qs_kernel_args *a = ch->a;
    const size_t channels = (size_t)a->dim[CHANNELS], features = (size_t)a->dim[ROWS] * channels;
    return qs_slice_first(a->slicing, slice) * features +
           (row * channels + ch->c) * qs_slice_lanes(a->slicing, slice);
}

/* Sum over rows and real samples of (x - mean)^power, power 1 or 2. */
static double moment(const channel *ch, const float *x, float mean, int power)
{
    const qs_kernel_args *a = ch->a;
    double sum = 0;
    for (size_t s = 0; s < a->slicing->slices; s++)
        for (size_t r = 0; r < (size_t)a->dim[ROWS]; r++) {
            const float *p = x + lanes_at(ch, s, r);
            float part = 0;
            for (size_t i = 0; i < qs_slice_valid(a->slicing, s); i++)
                part += power == 1 ? p[i] - mean : (p[i] - mean) * (p[i] - mean);
            sum += (double)part;
        }
    return sum;
}

static void channel_stats(const channel *ch, float *mean, float *variance)
{
    const qs_kernel_args *a = ch->a;
    const double n = (double)a->slicing->n * a->dim[ROWS];
    *mean = (float)(moment(ch, a->in[0], 0, 1) / n);
    *variance = (float)(moment(ch, a->in[0], *mean, 2) / n);
}

static bool uses_batch(const qs_kernel_args *a)
{
    return a->step->training && !a->dim[FROZEN];
}

/* in: x; param: moving mean, bias: moving variance; out: [2][channels] mean and 1 / deviation in
 * use. Items: channels. Moves the averages when the batch's own statistics are used. */
void QS_RUNG(qs_op_batch_norm_stats)(const qs_kernel_args *a)
{
    const size_t stride = qs_round_up((size_t)a->dim[CHANNELS], QS_LANE);
    const float keep = a->arg[MOMENTUM];
    for (size_t c = a->item; c < a->item + a->items; c++) {
        float mean = a->param->weight[c], variance = a->bias->weight[c];
        if (uses_batch(a)) {
            channel_stats(&(channel){a, c}, &mean, &variance);
            a->param->weight[c] = a->param->weight[c] * keep + mean * (1 - keep);
            a->bias->weight[c] = a->bias->weight[c] * keep + variance * (1 - keep);
        }
        a->out[0][c] = mean;
        a->out[0][stride + c] = 1 / sqrtf(variance + a->arg[EPSILON]);
    }
}

/* in: x, stats, gamma or NULL, beta or NULL; out: y. */
void QS_RUNG(qs_op_batch_norm)(const qs_kernel_args *a)
{
    const size_t channels = (size_t)a->dim[CHANNELS], stride = qs_round_up(channels, QS_LANE);
    for (size_t f = 0; f < (size_t)a->dim[ROWS] * channels; f++) {
        const size_t c = f % channels;
        const float mean = a->in[1][c];
        const float scale = a->in[1][stride + c] * (a->in[2] ? a->in[2][c] : 1);
        const float offset = a->in[3] ? a->in[3][c] : 0;
        for (size_t i = f * a->lanes; i < (f + 1) * a->lanes; i++)
            a->out[0][i] = (a->in[0][i] - mean) * scale + offset;
    }
}

/* Sums over rows and samples of dy and of dy * normalised x. */
static void channel_grads(const channel *ch, float *dy_sum, float *dyx_sum)
{
    const qs_kernel_args *a = ch->a;
    const size_t stride = qs_round_up((size_t)a->dim[CHANNELS], QS_LANE);
    const float mean = a->in[2][ch->c], inverse = a->in[2][stride + ch->c];
    double dy_all = 0, dyx_all = 0;
    for (size_t s = 0; s < a->slicing->slices; s++)
        for (size_t r = 0; r < (size_t)a->dim[ROWS]; r++) {
            const float *dy = a->in[0] + lanes_at(ch, s, r), *x = a->in[1] + lanes_at(ch, s, r);
            float dy_part = 0, dyx_part = 0;
            for (size_t i = 0; i < qs_slice_valid(a->slicing, s); i++) {
                dy_part += dy[i];
                dyx_part += dy[i] * ((x[i] - mean) * inverse);
            }
            dy_all += (double)dy_part;
            dyx_all += (double)dyx_part;
        }
    *dy_sum = (float)dy_all;
    *dyx_sum = (float)dyx_all;
}

/* Hand 16 channels of two gradients on; sums [2][channels padded]. */
static void finish_channels(const qs_kernel_args *a, size_t first, const float *beta,
                            const float *gamma)
{
    if (a->param)
        QS_RUNG(qs_param_finish)(a, a->param, first, QS_LANE, gamma);
    if (a->bias)
        QS_RUNG(qs_param_finish)(a, a->bias, first, QS_LANE, beta);
}

/* in: dy, x, stats, whole batch; param: gamma or NULL, bias: beta or NULL; out: [2][channels] sums of
 * dy and of dy * normalised x. Items: groups of 16 channels. */
void QS_RUNG(qs_op_batch_norm_dparam)(const qs_kernel_args *a)
{
    const size_t channels = (size_t)a->dim[CHANNELS], stride = qs_round_up(channels, QS_LANE);
    for (size_t item = a->item; item < a->item + a->items; item++) {
        const size_t first = item * QS_LANE;
        for (size_t c = first; c < qs_min(first + QS_LANE, channels); c++)
            channel_grads(&(channel){a, c}, &a->out[0][c], &a->out[0][stride + c]);
        finish_channels(a, first, a->out[0] + first, a->out[0] + stride + first);
    }
}

/* in: dy, x, stats, gamma or NULL, sums; out: dx. Padding lanes become zero. The update of gamma must
 * come after this call. */
void QS_RUNG(qs_op_batch_norm_dx)(const qs_kernel_args *a)
{
    const size_t channels = (size_t)a->dim[CHANNELS], stride = qs_round_up(channels, QS_LANE);
    const float n = uses_batch(a) ? (float)a->slicing->n * (float)a->dim[ROWS] : INFINITY;
    for (size_t f = 0; f < (size_t)a->dim[ROWS] * channels; f++) {
        const size_t c = f % channels, at = f * a->lanes;
        const float mean = a->in[2][c], inverse = a->in[2][stride + c];
        const float scale = inverse * (a->in[3] ? a->in[3][c] : 1);
        const float dy_mean = a->in[4][c] / n, dyx_mean = a->in[4][stride + c] / n;
        for (size_t i = at; i < at + a->lanes; i++)
            a->out[0][i] =
                scale * (a->in[0][i] - dy_mean - (a->in[1][i] - mean) * inverse * dyx_mean);
        for (size_t i = at + a->valid; i < at + a->lanes; i++)
            a->out[0][i] = 0;
    }
}

static void layer_stats(const float *x, size_t channels, size_t lanes, float epsilon, float *stats)
{
    float *mean = stats, *inverse = stats + lanes;
    memset(stats, 0, 2 * lanes * sizeof *stats);
    for (size_t c = 0; c < channels; c++)
        for (size_t i = 0; i < lanes; i++)
            mean[i] += x[c * lanes + i];
    for (size_t i = 0; i < lanes; i++)
        mean[i] /= (float)channels;
    for (size_t c = 0; c < channels; c++)
        for (size_t i = 0; i < lanes; i++) {
            const float d = x[c * lanes + i] - mean[i];
            inverse[i] += d * d;
        }
    for (size_t i = 0; i < lanes; i++)
        inverse[i] = 1 / sqrtf(inverse[i] / (float)channels + epsilon);
}

/* in: x, gamma or NULL, beta or NULL; out: y, stats [rows][2][lanes] (mean, 1 / deviation). */
void QS_RUNG(qs_op_layer_norm)(const qs_kernel_args *a)
{
    const size_t channels = (size_t)a->dim[CHANNELS], lanes = a->lanes;
    for (size_t r = 0; r < (size_t)a->dim[ROWS]; r++) {
        const float *x = a->in[0] + r * channels * lanes;
        float *y = a->out[0] + r * channels * lanes, *stats = a->out[1] + r * 2 * lanes;
        layer_stats(x, channels, lanes, a->arg[EPSILON], stats);
        for (size_t c = 0; c < channels; c++) {
            const float gamma = a->in[1] ? a->in[1][c] : 1, beta = a->in[2] ? a->in[2][c] : 0;
            for (size_t i = 0; i < lanes; i++)
                y[c * lanes + i] = (x[c * lanes + i] - stats[i]) * stats[lanes + i] * gamma + beta;
        }
    }
}

/* in: dy, x, stats, gamma or NULL; out: dx. */
void QS_RUNG(qs_op_layer_norm_dx)(const qs_kernel_args *a)
{
    const size_t channels = (size_t)a->dim[CHANNELS], lanes = a->lanes;
    for (size_t r = 0; r < (size_t)a->dim[ROWS]; r++) {
        const size_t at = r * channels * lanes;
        const float *dy = a->in[0] + at, *x = a->in[1] + at, *stats = a->in[2] + r * 2 * lanes;
        float sum[QS_SLICE] = {0}, product[QS_SLICE] = {0};
        for (size_t c = 0; c < channels; c++) {
            const float gamma = a->in[3] ? a->in[3][c] : 1;
            for (size_t i = 0; i < lanes; i++) {
                const float g = dy[c * lanes + i] * gamma;
                sum[i] += g;
                product[i] += g * (x[c * lanes + i] - stats[i]) * stats[lanes + i];
            }
        }
        for (size_t c = 0; c < channels; c++) {
            const float gamma = a->in[3] ? a->in[3][c] : 1;
            for (size_t i = 0; i < lanes; i++) {
                const float n = (x[c * lanes + i] - stats[i]) * stats[lanes + i];
                const float mean = (sum[i] + n * product[i]) / (float)channels;
                a->out[0][at + c * lanes + i] =
                    stats[lanes + i] * (dy[c * lanes + i] * gamma - mean);
            }
        }
    }
}

/* Sums of one channel over rows and samples: in: dy, x, stats of the whole batch. */
static void layer_channel(const channel *ch, float *beta, float *gamma)
{
    const qs_kernel_args *a = ch->a;
    const size_t rows = (size_t)a->dim[ROWS];
    *beta = *gamma = 0;
    for (size_t s = 0; s < a->slicing->slices; s++)
        for (size_t r = 0; r < rows; r++) {
            const size_t lanes = qs_slice_lanes(a->slicing, s);
            const float *dy = a->in[0] + lanes_at(ch, s, r), *x = a->in[1] + lanes_at(ch, s, r);
            const float *stats =
                a->in[2] + qs_slice_first(a->slicing, s) * rows * 2 + r * 2 * lanes;
            for (size_t i = 0; i < qs_slice_valid(a->slicing, s); i++) {
                *beta += dy[i];
                *gamma += dy[i] * (x[i] - stats[i]) * stats[lanes + i];
            }
        }
}

/* in: dy, x, stats, whole batch; param: gamma or NULL, bias: beta or NULL. Items: 16 channels. */
void QS_RUNG(qs_op_layer_norm_dparam)(const qs_kernel_args *a)
{
    const size_t channels = (size_t)a->dim[CHANNELS];
    for (size_t item = a->item; item < a->item + a->items; item++) {
        float beta[QS_LANE] = {0}, gamma[QS_LANE] = {0};
        const size_t first = item * QS_LANE;
        for (size_t c = first; c < qs_min(first + QS_LANE, channels); c++)
            layer_channel(&(channel){a, c}, &beta[c - first], &gamma[c - first]);
        finish_channels(a, first, beta, gamma);
    }
}
