/* SPDX-License-Identifier: MIT */
/* tile.h - the one matrix product: everything dense is made of it. Private.
 *
 *   c[j][i] (+)= sum over d < depth of a[d * a_step + i] * b[d * b_step + j * b_col]
 *
 * for i < width (a multiple of 16) and j < cols. Sums stay in registers over the whole depth.
 */
#ifndef QS_KERNELS_VEC_TILE_H
#define QS_KERNELS_VEC_TILE_H

#include <stdbool.h>
#include <stddef.h>

enum { TILE_AHEAD = 3 };

typedef struct tile_args {
    const float *a, *b;
    size_t a_step, b_step, b_col, depth;
    float *c;
    size_t c_step;
    bool add; /* to what c holds, else c is overwritten */
    /* Memory that is wanted next: fetched meanwhile, ahead_step bytes of each for each element of
     * depth and each tile. [0] NULL: nothing; else all are set. */
    const char *ahead[TILE_AHEAD];
    size_t ahead_step;
} tile_args;

/* Any width and cols. */
void QS_RUNG(qs_tile_product)(tile_args t, size_t width, size_t cols);

#endif
