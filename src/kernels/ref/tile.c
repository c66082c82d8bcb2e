/* SPDX-License-Identifier: MIT */
/* tile.c - the matrix product as it is written down, summed in double: what all rungs are held
 * against. */
#include "kernels/vec/tile.h"

void QS_RUNG(qs_tile_product)(tile_args t, size_t width, size_t cols)
{
    for (size_t j = 0; j < cols; j++)
        for (size_t i = 0; i < width; i++) {
            double sum = t.add ? (double)t.c[j * t.c_step + i] : 0;
            for (size_t d = 0; d < t.depth; d++)
                sum += (double)t.a[d * t.a_step + i] * (double)t.b[d * t.b_step + j * t.b_col];
            t.c[j * t.c_step + i] = (float)sum;
        }
}
