/* SPDX-License-Identifier: MIT */
/* layout.c - blocks of weights, slices of a batch. */
#include "kernels/layout.h"

void qs_blocked_pack(size_t rows, size_t cols, const float *plain, float *blocked)
{
    for (size_t b = 0; b < qs_blocks(cols); b++) {
        const size_t width = qs_block_width(cols, b), first = b * QS_BLOCK;
        float *to = blocked + qs_block_start(rows, b);
        for (size_t r = 0; r < rows; r++)
            for (size_t c = 0; c < qs_min(QS_BLOCK, cols - first); c++)
                to[r * width + c] = plain[r * cols + first + c];
    }
}

void qs_blocked_unpack(size_t rows, size_t cols, const float *blocked, float *plain)
{
    for (size_t b = 0; b < qs_blocks(cols); b++) {
        const size_t width = qs_block_width(cols, b), first = b * QS_BLOCK;
        const float *from = blocked + qs_block_start(rows, b);
        for (size_t r = 0; r < rows; r++)
            for (size_t c = 0; c < qs_min(QS_BLOCK, cols - first); c++)
                plain[r * cols + first + c] = from[r * width + c];
    }
}

/* An even number of slices where there is enough for two threads, each as wide as it can be. */
qs_slicing qs_slicing_of(size_t n)
{
    const size_t vecs = n ? (n + QS_LANE - 1) / QS_LANE : 1;
    size_t slices = qs_round_up(vecs * QS_LANE, QS_SLICE) / QS_SLICE;
    if (vecs > 1)
        slices = qs_round_up(slices, 2);
    const size_t per = (vecs + slices - 1) / slices;
    slices = (vecs + per - 1) / per;
    return (qs_slicing){.n = n,
                        .slices = slices,
                        .lanes = per * QS_LANE,
                        .last_lanes = (vecs - (slices - 1) * per) * QS_LANE};
}
