/* SPDX-License-Identifier: MIT */
/* dense.c - y = f(x W + b) and its gradients. dim: in, out, repeat, activation, arguments of it.
 *
 * repeat: the layer acts on the last axis of [repeat, in]; feature t * in + k is element k of row t.
 */
#include <string.h>

#include "kernels/kernels.h"
#include "kernels/vec/ops.h"
#include "kernels/vec/tile.h"
#include "kernels/vec/transpose.h"

enum { IN, OUT, REPEAT, ACTIVATION, CHUNK };

static void fill_bias(float *y, size_t lanes, size_t cols, const float *bias)
{
    for (size_t c = 0; c < cols; c++)
        for (size_t i = 0; i < lanes; i++)
            y[c * lanes + i] = bias[c];
}

static void dense_block(const qs_kernel_args *a, const float *x, float *y, size_t block)
{
    const size_t in = (size_t)a->dim[IN], out = (size_t)a->dim[OUT], first = block * QS_BLOCK;
    const size_t cols = qs_min(QS_BLOCK, out - first);
    float *to = y + first * a->lanes;
    if (a->in[2])
        fill_bias(to, a->lanes, cols, a->in[2] + first);
    QS_RUNG(qs_tile_product)
    ((tile_args){.a = x,
                 .a_step = a->lanes,
                 .b = a->in[1] + qs_block_start(in, block),
                 .b_step = qs_block_width(out, block),
                 .b_col = 1,
                 .depth = in,
                 .c = to,
                 .c_step = a->lanes,
                 .add = a->in[2] != NULL},
     a->lanes, cols);
    if (a->dim[ACTIVATION] >= 0)
        QS_RUNG(qs_activate)(a->dim[ACTIVATION], cols * a->lanes, to, to, a->arg);
}

/* in: x, W, b or NULL; out: y. */
void QS_RUNG(qs_op_dense)(const qs_kernel_args *a)
{
    const size_t in = (size_t)a->dim[IN], out = (size_t)a->dim[OUT];
    for (size_t t = 0; t < (size_t)a->dim[REPEAT]; t++)
        for (size_t block = 0; block < qs_blocks(out); block++)
            dense_block(a, a->in[0] + t * in * a->lanes, a->out[0] + t * out * a->lanes, block);
}

/* Rows first … first+rows-1 of dx: the sum over all blocks of columns. */
static void dx_rows(const qs_kernel_args *a, const float *dy, float *dx, size_t first, size_t rows)
{
    const size_t in = (size_t)a->dim[IN], out = (size_t)a->dim[OUT];
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

/* in: dy, W; out: dx. */
void QS_RUNG(qs_op_dense_dx)(const qs_kernel_args *a)
{
    const size_t in = (size_t)a->dim[IN], out = (size_t)a->dim[OUT];
    for (size_t t = 0; t < (size_t)a->dim[REPEAT]; t++)
        for (size_t row = 0; row < in; row += QS_BLOCK)
            dx_rows(a, a->in[0] + t * out * a->lanes, a->out[0] + t * in * a->lanes, row,
                    qs_min(QS_BLOCK, in - row));
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

/* in: dy; out: dy of the whole batch as [repeat][block][all lanes][width], which dense_dw reads.
 * out[0] is its start, not this slice's part. */
void QS_RUNG(qs_op_pack)(const qs_kernel_args *a)
{
    const size_t out = (size_t)a->dim[OUT], all = qs_slice_first(a->slicing, a->slicing->slices);
    for (size_t t = 0; t < (size_t)a->dim[REPEAT]; t++)
        for (size_t f = 0; f < out; f += QS_LANE) {
            const size_t block = f / QS_BLOCK, width = qs_block_width(out, block);
            float *to = a->out[0] + t * qs_blocked_size(all, out) + qs_block_start(all, block) +
                        a->first * width + f % QS_BLOCK;
            pack_lane(a->in[0] + (t * out + f) * a->lanes, a->lanes, qs_min(QS_LANE, out - f), to,
                      width);
        }
}

enum {
    DW_ROWS = 24
}; /* at most so many rows of a block at a time: the tile's height on every rung */

/* g [rows][width] = sum over repeats, slices and samples of x[row] * dy. */
static void dw_tile(const qs_kernel_args *a, size_t block, size_t first, size_t rows, float *g)
{
    const size_t in = (size_t)a->dim[IN], out = (size_t)a->dim[OUT],
                 repeat = (size_t)a->dim[REPEAT];
    const size_t width = qs_block_width(out, block);
    const size_t all = qs_slice_first(a->slicing, a->slicing->slices);
    for (size_t t = 0; t < repeat; t++)
        for (size_t s = 0; s < a->slicing->slices; s++) {
            const size_t lane = qs_slice_first(a->slicing, s),
                         lanes = qs_slice_lanes(a->slicing, s);
            QS_RUNG(qs_tile_product)
            ((tile_args){.a = a->in[1] + t * qs_blocked_size(all, out) +
                              qs_block_start(all, block) + lane * width,
                         .a_step = width,
                         .b = a->in[0] + repeat * in * lane + (t * in + first) * lanes,
                         .b_step = 1,
                         .b_col = lanes,
                         .depth = lanes,
                         .c = g,
                         .c_step = width,
                         .add = t + s > 0},
             width, rows);
        }
}

/* b's gradient for one block: the sum over repeats and samples of dy. */
static void db_block(const qs_kernel_args *a, size_t block, float *g)
{
    const size_t out = (size_t)a->dim[OUT], width = qs_block_width(out, block);
    const size_t all = qs_slice_first(a->slicing, a->slicing->slices);
    memset(g, 0, width * sizeof *g);
    for (size_t t = 0; t < (size_t)a->dim[REPEAT]; t++) {
        const float *dy = a->in[1] + t * qs_blocked_size(all, out) + qs_block_start(all, block);
        for (size_t n = 0; n < all; n++)
            for (size_t k = 0; k < width; k++)
                g[k] += dy[n * width + k];
    }
}

/* in: x, packed dy, whole batch; param: W, bias: b or NULL. Item: CHUNK rows of one block, blocks
 * after one another; the first item of a block also does its part of b. */
void QS_RUNG(qs_op_dense_dw)(const qs_kernel_args *a)
{
    const size_t in = (size_t)a->dim[IN], out = (size_t)a->dim[OUT];
    const size_t chunk = (size_t)a->dim[CHUNK], chunks = (in + chunk - 1) / chunk;
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
