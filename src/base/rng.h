/* SPDX-License-Identifier: MIT */
/* rng.h - random numbers as a hash of a counter: order and threads cannot change them. Private. */
#ifndef QS_BASE_RNG_H
#define QS_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

/* Finaliser of SplitMix64 (Steele, Lea, Flood 2014). */
static inline uint64_t qs_mix64(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* A key of its own for each (parent, a, b): seed → epoch → step → tensor. */
static inline uint64_t qs_key(uint64_t parent, uint64_t a, uint64_t b)
{
    return qs_mix64(qs_mix64(qs_mix64(parent + 0x9e3779b97f4a7c15u) + a) + b);
}

/* Element i of the stream of `key`: 64 random bits. */
static inline uint64_t qs_random(uint64_t key, uint64_t i)
{
    return qs_mix64(key + (i + 1) * 0x9e3779b97f4a7c15u);
}

/* Uniform in [0, 1), 53 bits. */
static inline double qs_uniform(uint64_t key, uint64_t i)
{
    return (double)(qs_random(key, i) >> 11) * 0x1p-53;
}

/* 32 random bits of a 32-bit key and counter; branch-free, for vector loops (lowbias32, Wellons).
 */
static inline uint32_t qs_random32(uint32_t key, uint32_t i)
{
    uint32_t x = i * 0x9e3779b9u + key;
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

double qs_normal(uint64_t key, uint64_t i); /* standard normal (Box-Muller) */

/* index becomes a permutation of 0 … n-1 that depends on key alone. */
void qs_permute(uint64_t key, uint32_t *index, size_t n);

#endif
