/* SPDX-License-Identifier: MIT */
/* rng.c - normal numbers and permutations from counters. */
#include "base/rng.h"

#include <math.h>

double qs_normal(uint64_t key, uint64_t i)
{
    const double u = 1 - qs_uniform(key, 2 * i), v = qs_uniform(key, 2 * i + 1);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

__extension__ typedef unsigned __int128 wide;

void qs_permute(uint64_t key, uint32_t *index, size_t n)
{
    for (size_t i = 0; i < n; i++)
        index[i] = (uint32_t)i;
    for (size_t i = n; i > 1; i--) { /* Fisher-Yates */
        const size_t j = (size_t)(((wide)qs_random(key, i) * i) >> 64);
        const uint32_t t = index[i - 1];
        index[i - 1] = index[j];
        index[j] = t;
    }
}
