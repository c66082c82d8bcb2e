/* SPDX-License-Identifier: MIT */
/* layout.h - where numbers lie while a network runs. Private.
 *
 * The batch is the vector dimension. A batch is cut into slices of at most 64 samples ("lanes",
 * padded to a multiple of 16); an activation tensor of F features is, slice after slice,
 * [F][lanes]. So any number of features runs without padding, elementwise work is one long loop,
 * and a slice goes forward and back through a network without meeting another.
 *
 * A matrix of weights [rows, cols] is kept as blocks of up to 48 columns, each block
 * [rows][width] with width padded to a multiple of 16; a vector is padded to a multiple of 16.
 * Padding of weights is zero and stays zero. What samples that are not there make of themselves is never
 * summed up: it may be anything.
 */
#ifndef QS_KERNELS_LAYOUT_H
#define QS_KERNELS_LAYOUT_H

#include <stddef.h>

enum { QS_LANE = 16, QS_SLICE = 64, QS_BLOCK = 48 };

static inline size_t qs_round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

static inline size_t qs_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t qs_blocks(size_t cols)
{
    return (cols + QS_BLOCK - 1) / QS_BLOCK;
}

/* Padded columns of block `block`. */
static inline size_t qs_block_width(size_t cols, size_t block)
{
    return qs_round_up(qs_min(cols - block * QS_BLOCK, QS_BLOCK), QS_LANE);
}

/* Floats of a matrix in blocks. */
static inline size_t qs_blocked_size(size_t rows, size_t cols)
{
    return rows * qs_round_up(cols, QS_LANE);
}

/* Where block `block` starts. */
static inline size_t qs_block_start(size_t rows, size_t block)
{
    return rows * QS_BLOCK * block;
}

/* Between C order [rows, cols] and blocks; packing leaves the padding alone. */
void qs_blocked_pack(size_t rows, size_t cols, const float *plain, float *blocked);
void qs_blocked_unpack(size_t rows, size_t cols, const float *blocked, float *plain);

/* How n samples are cut into slices. Depends on n alone, so that threads cannot change a result. */
typedef struct qs_slicing {
    size_t n;          /* real samples */
    size_t slices;     /* all but the last have `lanes` lanes */
    size_t lanes;      /* multiple of 16, at most 64 */
    size_t last_lanes; /* of the last slice */
} qs_slicing;

qs_slicing qs_slicing_of(size_t n);

static inline size_t qs_slice_lanes(const qs_slicing *s, size_t slice)
{
    return slice + 1 < s->slices ? s->lanes : s->last_lanes;
}

/* Lanes before slice `slice`; with slice == slices, all of them. */
static inline size_t qs_slice_first(const qs_slicing *s, size_t slice)
{
    return slice < s->slices ? slice * s->lanes : (s->slices - 1) * s->lanes + s->last_lanes;
}

/* Real samples of a slice. */
static inline size_t qs_slice_valid(const qs_slicing *s, size_t slice)
{
    const size_t first = slice * s->lanes;
    return s->n <= first ? 0 : qs_min(s->n - first, qs_slice_lanes(s, slice));
}

#endif
