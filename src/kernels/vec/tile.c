/* SPDX-License-Identifier: MIT */
/* tile.c - register tiles of the matrix product, one function for each shape. */
#include "kernels/vec/tile.h"

#include "kernels/vec/vec.h"

INLINE void product(const tile_args *t, const int vecs, const int cols, const bool fetch)
{
    vec sum[TILE_SUMS];
    UNROLL for (int j = 0; j < cols; j++) UNROLL for (int v = 0; v < vecs; v++) sum[j * vecs + v] =
        t->add ? load(t->c + (size_t)j * t->c_step + v * VEC) : (vec){0};
    const float *a = t->a, *b = t->b;
    const size_t a_step = t->a_step, b_step = t->b_step, b_col = t->b_col;
    const char *ahead[TILE_AHEAD] = {t->ahead[0], t->ahead[1], t->ahead[2]};
    size_t fetched = 0;
    for (size_t d = t->depth; d; d--, a += a_step, b += b_step) {
        vec left[TILE_VECS];
        UNROLL for (int v = 0; v < vecs; v++) left[v] = load(a + v * VEC);
        UNROLL for (int j = 0; j < cols; j++)
        {
            const vec right = splat(b[(size_t)j * b_col]);
            UNROLL for (int v = 0; v < vecs; v++) sum[j * vecs + v] += left[v] * right;
        }
        if (fetch) {
            UNROLL for (int k = 0; k < TILE_AHEAD; k++) __builtin_prefetch(ahead[k] + fetched);
            fetched += t->ahead_step;
        }
    }
    UNROLL for (int j = 0; j < cols; j++) UNROLL for (int v = 0; v < vecs; v++)
        store(t->c + (size_t)j * t->c_step + v * VEC, sum[j * vecs + v]);
}

typedef void (*tile)(const tile_args *t);

#define TILE(vecs, cols)                                                                           \
    static void tile_##vecs##x##cols(const tile_args *t)                                           \
    {                                                                                              \
        product(t, vecs, cols, false);                                                             \
    }
#define TILES(vecs, full)                                                                          \
    TILE(vecs, full)                                                                               \
    TILE(vecs, 4)                                                                                  \
    TILE(vecs, 2)                                                                                  \
    TILE(vecs, 1)                                                                                  \
    static void fetch_##vecs##x##full(const tile_args *t)                                          \
    {                                                                                              \
        product(t, vecs, full, true);                                                              \
    }
#define TILE_ROW(vecs, full)                                                                       \
    {                                                                                              \
        fetch_##vecs##x##full,                                                                     \
        {                                                                                          \
            {full, tile_##vecs##x##full}, {4, tile_##vecs##x4}, {2, tile_##vecs##x2},              \
            {                                                                                      \
                1, tile_##vecs##x1                                                                 \
            }                                                                                      \
        }                                                                                          \
    }

#if defined(__AVX512F__)
TILES(1, 24)
TILES(2, 12)
TILES(3, 8)
TILES(4, 6)
#else
TILES(1, 12)
TILES(2, 6)
#endif

/* [vecs - 1]; columns widest first, and the widest with prefetching. */
static const struct {
    tile fetch;
    struct {
        size_t cols;
        tile run;
    } size[4];
} tiles[TILE_VECS] = {
#if defined(__AVX512F__)
    TILE_ROW(1, 24), TILE_ROW(2, 12), TILE_ROW(3, 8), TILE_ROW(4, 6)
#else
    TILE_ROW(1, 12), TILE_ROW(2, 6)
#endif
};

static void columns(tile_args t, size_t vecs, size_t cols)
{
    for (int k = 0; k < 4; k++) {
        const size_t step = tiles[vecs - 1].size[k].cols;
        const tile run = k == 0 && t.ahead[0] ? tiles[vecs - 1].fetch : tiles[vecs - 1].size[k].run;
        for (; cols >= step; cols -= step) {
            run(&t);
            t.b += step * t.b_col;
            t.c += step * t.c_step;
            for (int i = 0; i < TILE_AHEAD && t.ahead[0]; i++)
                t.ahead[i] += t.depth * t.ahead_step;
        }
    }
}

void QS_RUNG(qs_tile_product)(tile_args t, size_t width, size_t cols)
{
    while (width) {
        const size_t left = width / VEC, vecs = left < TILE_VECS ? left : TILE_VECS;
        columns(t, vecs, cols);
        t.a += vecs * VEC;
        t.c += vecs * VEC;
        width -= vecs * VEC;
    }
}
