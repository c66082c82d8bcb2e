/* SPDX-License-Identifier: MIT */
/* peak.c - multiply-adds in registers and nothing else. */
#include "kernels/vec/ops.h"
#include "kernels/vec/vec.h"

double QS_RUNG(qs_peak_run)(size_t rounds)
{
    vec sum[TILE_SUMS], by = splat(0.999f), plus = splat(0.001f);
    UNROLL for (int i = 0; i < TILE_SUMS; i++) sum[i] = splat((float)i);
    for (size_t r = 0; r < rounds; r++)
        UNROLL for (int i = 0; i < TILE_SUMS; i++) sum[i] = sum[i] * by + plus;
    vec all = {0};
    UNROLL for (int i = 0; i < TILE_SUMS; i++) all += sum[i];
    volatile float keep = all[0]; /* what nobody reads need not be computed */
    (void)keep;
    return 2.0 * VEC * TILE_SUMS * (double)rounds;
}
