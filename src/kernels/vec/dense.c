/* SPDX-License-Identifier: MIT */
/* dense.c - y = dropout(f(x W + b)) and its gradients. dim and arg: see kernels/dense.h.
 *
 * repeat: the layer acts on the last axis of [repeat, in]; feature t * in + k is element k of row t.
 */
#include <string.h>

#include "kernels/activation.h"
#include "kernels/dense.h"
#include "kernels/kernels.h"
#include "kernels/vec/dropout.h"
#include "kernels/vec/ops.h"
#include "kernels/vec/tile.h"
#include "kernels/vec/transpose.h"

static void fill_bias(float *y, size_t lanes, size_t cols, const float *bias)
{
    for (size_t c = 0; c < cols; c++)
        for (size_t i = 0; i < lanes; i++)
            y[c * lanes + i] = bias[c];
}

static void drop(const qs_kernel_args *a, size_t feature, size_t cols, float *y)
{
    const uint32_t key = dropout_key(a, a->dim[QS_DENSE_TENSOR]);
    for (size_t c = 0; c < cols; c++)
        dropout_lanes(a->lanes, key, dropout_counter(a, feature + c), a->arg[QS_DENSE_RATE],
                      y + c * a->lanes, y + c * a->lanes);
}

enum { AHEAD_TILES = 8 }; /* tiles that a block of columns takes on the widest rung */

static void dense_block(const qs_kernel_args *a, const float *x, float *y, size_t block)
{
    const size_t in = (size_t)a->dim[QS_DENSE_IN], out = (size_t)a->dim[QS_DENSE_OUT],
                 first = block * QS_BLOCK;
    const size_t cols = qs_min(QS_BLOCK, out - first);
    float *to = y + first * a->lanes;
    if (a->in[2])
        fill_bias(to, a->lanes, cols, a->in[2] + first);
    /* the next block comes from far away while this one is multiplied: a share of a row at each step */
    const char *next = (const char *)(a->in[1] + qs_block_start(in, block + 1));
    QS_RUNG(qs_tile_product)
    ((tile_args){.ahead = {next, next, next},
                 .ahead_step = QS_BLOCK * sizeof(float) / AHEAD_TILES,
                 .a = x,
                 .a_step = a->lanes,
                 .b = a->in[1] + qs_block_start(in, block),
                 .b_step = qs_block_width(out, block),
                 .b_col = 1,
                 .depth = in,
                 .c = to,
                 .c_step = a->lanes,
                 .add = a->in[2] != NULL},
     a->lanes, cols);
    if (a->dim[QS_DENSE_ACTIVATION] >= 0)
        QS_RUNG(qs_activate)(a->dim[QS_DENSE_ACTIVATION], cols * a->lanes, to, to, a->arg);
    if (a->dim[QS_DENSE_DROPS] && a->step->training)
        drop(a, (size_t)(y - a->out[0]) / a->lanes + first, cols, to);
}

/* in: x, W, b or NULL; out: y. */
void QS_RUNG(qs_op_dense)(const qs_kernel_args *a)
{
    const size_t in = (size_t)a->dim[QS_DENSE_IN], out = (size_t)a->dim[QS_DENSE_OUT];
    for (size_t t = 0; t < (size_t)a->dim[QS_DENSE_REPEAT]; t++)
        for (size_t block = 0; block < qs_blocks(out); block++)
            dense_block(a, a->in[0] + t * in * a->lanes, a->out[0] + t * out * a->lanes, block);
}

/* Rows first … first+rows-1 of dx: the sum over all blocks of columns. */
static void dx_rows(const qs_kernel_args *a, const float *dy, float *dx, size_t first, size_t rows)
{
    const size_t in = (size_t)a->dim[QS_DENSE_IN], out = (size_t)a->dim[QS_DENSE_OUT];
    for (size_t block = 0; block < qs_blocks(out); block++) {
        const size_t width = qs_block_width(out, block);
        QS_RUNG(qs_tile_product)
        ((tile_args){.a = dy + block * QS_BLOCK * a->lanes,
                     .a_step = a->lanes,
                     .b = a->in[1] + qs_block_start(in, block) + first * width,
                     .b_step = 1,
                     .b_col = width,
                     .depth = qs_min(QS_BLOCK, out - block * QS_BLOCK),
                     .c = dx + first * a->lanes,
                     .c_step = a->lanes,
                     .add = block > 0},
         a->lanes, rows);
    }
}

/* 16 features of one slice, transposed: to [lanes][width]. Features past count become zero. */
static void pack_lane(const float *from, size_t lanes, size_t count, float *to, size_t width)
{
    for (size_t i = 0; i < lanes; i += VEC)
        for (size_t f = 0; f < QS_LANE; f += VEC) {
            vec r[VEC];
            UNROLL for (size_t k = 0; k < VEC; k++) r[k] =
                f + k < count ? load(from + (f + k) * lanes + i) : (vec){0};
            transpose(r);
            UNROLL for (size_t k = 0; k < VEC; k++) store(to + (i + k) * width + f, r[k]);
        }
}

/* `count` features of one slice, from `feature` on, into the packed tensor that starts at `to`. */
static void pack_features(const qs_kernel_args *a, const float *dy, size_t feature, size_t count,
                          size_t out, float *to)
{
    const size_t all = qs_slice_first(a->slicing, a->slicing->slices), row = feature / out;
    for (size_t f = feature % out; count; f += QS_LANE) {
        const size_t block = f / QS_BLOCK, width = qs_block_width(out, block);
        const size_t n = qs_min(QS_LANE, count);
        pack_lane(dy, a->lanes, n,
                  to + row * qs_blocked_size(all, out) + qs_block_start(all, block) +
                      a->first * width + f % QS_BLOCK,
                  width);
        dy += n * a->lanes;
        count -= n;
    }
}

/* g through dropout and activation of the layer below, whose output was y. A rectified output is
 * positive exactly where both let it through. */
static void back_through(const qs_kernel_args *a, size_t feature, size_t rows, const float *y,
                         float *g)
{
    const int id = a->dim[QS_DENSE_ACTIVATION];
    const float keep = a->dim[QS_DENSE_DROPS] ? 1 - a->arg[QS_DENSE_RATE] : 1, scale = 1 / keep;
    if (id == QS_ACTIVATION_relu) {
        for (size_t i = 0; i < rows * a->lanes; i++)
            g[i] = y[i] > 0 ? g[i] * scale : 0;
        return;
    }
    if (a->dim[QS_DENSE_DROPS])
        drop(a, feature, rows, g);
    for (size_t r = 0; id >= 0 && r < rows; r++) {
        float given[QS_SLICE]; /* by the activation, before dropout scaled it */
        for (size_t i = 0; i < a->lanes; i++)
            given[i] = y[r * a->lanes + i] * keep;
        QS_RUNG(qs_activate_grad)(id, a->lanes, g + r * a->lanes, given, g + r * a->lanes, a->arg);
    }
}

/* in: dy, W, y of the layer below or NULL; out: dx, or with y what dx becomes below, packed or NULL.
 * Activation and dropout are those of the layer below: its gradient is finished while in L1. */
void QS_RUNG(qs_op_dense_dx)(const qs_kernel_args *a)
{
    const size_t in = (size_t)a->dim[QS_DENSE_IN], out = (size_t)a->dim[QS_DENSE_OUT];
    for (size_t t = 0; t < (size_t)a->dim[QS_DENSE_REPEAT]; t++)
        for (size_t row = 0; row < in; row += QS_BLOCK) {
            const size_t rows = qs_min(QS_BLOCK, in - row), feature = t * in + row;
            float *dx = a->out[0] + feature * a->lanes;
            dx_rows(a, a->in[0] + t * out * a->lanes, dx - row * a->lanes, row, rows);
            if (a->in[2])
                back_through(a, feature, rows, a->in[2] + feature * a->lanes, dx);
            if (a->out[1])
                pack_features(a, dx, feature, rows, in, a->out[1]);
        }
}

/* in: dy, y; out: dz, dy through dropout and activation. */
void QS_RUNG(qs_op_dense_dz)(const qs_kernel_args *a)
{
    const size_t features = (size_t)a->dim[QS_DENSE_OUT] * (size_t)a->dim[QS_DENSE_REPEAT];
    memcpy(a->out[0], a->in[0], features * a->lanes * sizeof(float));
    back_through(a, 0, features, a->in[1], a->out[0]);
}

/* in: dy; out: dy of the whole batch as [repeat][block][all lanes][width], which dense_dw reads.
 * out[0] is its start, not this slice's part. */
void QS_RUNG(qs_op_pack)(const qs_kernel_args *a)
{
    const size_t out = (size_t)a->dim[QS_DENSE_OUT];
    for (size_t t = 0; t < (size_t)a->dim[QS_DENSE_REPEAT]; t++)
        pack_features(a, a->in[0] + t * out * a->lanes, t * out, out, out, a->out[0]);
}

/* Rows of a block at a time: a multiple of the tile's height (8 on the widest rung) on every rung. */
enum { DW_ROWS = 24, DW_TILE = 8 };

/* What the update of the next rows of W will want, spread over this product. */
static size_t ahead_of(const qs_kernel_args *a, size_t at, size_t floats, const char *ahead[3])
{
    const qs_param_args *p = a->param;
    const size_t lanes = qs_slice_first(a->slicing, a->slicing->slices);
    for (int k = 0; k < TILE_AHEAD; k++)
        ahead[k] = (const char *)(p->weight + at + floats);
    for (int k = 0; k < TILE_AHEAD - 1 && p->slot[k] && !p->grad; k++)
        ahead[k + 1] = (const char *)(p->slot[k] + at + floats);
    const size_t steps = lanes * (size_t)a->dim[QS_DENSE_REPEAT] * (DW_ROWS / DW_TILE);
    return (floats * sizeof(float) + steps - 1) / steps;
}

/* g [rows][width] = sum over repeats, slices and samples of x[row] * dy. */
static void dw_tile(const qs_kernel_args *a, size_t block, size_t first, size_t rows, float *g)
{
    const size_t in = (size_t)a->dim[QS_DENSE_IN], out = (size_t)a->dim[QS_DENSE_OUT],
                 repeat = (size_t)a->dim[QS_DENSE_REPEAT];
    const size_t width = qs_block_width(out, block);
    const size_t all = qs_slice_first(a->slicing, a->slicing->slices);
    tile_args tile = {.a_step = width, .b_step = 1, .c = g, .c_step = width};
    tile.ahead_step =
        ahead_of(a, qs_block_start(in, block) + first * width, rows * width, tile.ahead);
    for (size_t t = 0; t < repeat; t++)
        for (size_t s = 0; s < a->slicing->slices; s++) {
            const size_t lane = qs_slice_first(a->slicing, s);
            tile.depth = qs_slice_valid(a->slicing, s);
            tile.b_col = qs_slice_lanes(a->slicing, s);
            tile.a = a->in[1] + t * qs_blocked_size(all, out) + qs_block_start(all, block) +
                     lane * width;
            tile.b = a->in[0] + repeat * in * lane + (t * in + first) * tile.b_col;
            QS_RUNG(qs_tile_product)(tile, width, rows);
            tile.add = true;
            for (int k = 0; k < TILE_AHEAD; k++)
                tile.ahead[k] += tile.depth * tile.ahead_step * (DW_ROWS / DW_TILE);
        }
}

/* b's gradient for one block: the sum over repeats and samples of dy. */
static void db_block(const qs_kernel_args *a, size_t block, float *g)
{
    const size_t out = (size_t)a->dim[QS_DENSE_OUT], width = qs_block_width(out, block);
    const size_t all = qs_slice_first(a->slicing, a->slicing->slices);
    memset(g, 0, width * sizeof *g);
    for (size_t t = 0; t < (size_t)a->dim[QS_DENSE_REPEAT]; t++) {
        const float *dy = a->in[1] + t * qs_blocked_size(all, out) + qs_block_start(all, block);
        for (size_t n = 0; n < a->slicing->n; n++)
            for (size_t k = 0; k < width; k++)
                g[k] += dy[n * width + k];
    }
}

/* in: x, packed dy, whole batch; param: W, bias: b or NULL. Item: CHUNK rows of one block, blocks
 * after one another; the first item of a block also does its part of b. */
void QS_RUNG(qs_op_dense_dw)(const qs_kernel_args *a)
{
    const size_t in = (size_t)a->dim[QS_DENSE_IN], out = (size_t)a->dim[QS_DENSE_OUT];
    const size_t chunk = (size_t)a->dim[QS_DENSE_CHUNK], chunks = (in + chunk - 1) / chunk;
    _Alignas(64) float g[DW_ROWS * QS_BLOCK];
    for (size_t item = a->item; item < a->item + a->items; item++) {
        const size_t block = item / chunks, width = qs_block_width(out, block);
        const size_t first = item % chunks * chunk, last = qs_min(in, first + chunk);
        for (size_t row = first; a->param && row < last; row += DW_ROWS) {
            const size_t rows = qs_min(DW_ROWS, last - row);
            dw_tile(a, block, row, rows, g);
            QS_RUNG(qs_param_finish)
            (a, a->param, qs_block_start(in, block) + row * width, rows * width, g);
        }
        if (a->bias && first == 0) {
            db_block(a, block, g);
            QS_RUNG(qs_param_finish)(a, a->bias, block * QS_BLOCK, width, g);
        }
    }
}
