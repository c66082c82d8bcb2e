/* SPDX-License-Identifier: MIT */
/* orthogonal.c - the Q of normal numbers, signs so that R has a positive diagonal. */
#include "nn/orthogonal.h"

#include <math.h>

#include "base/alloc.h"
#include "base/rng.h"

static double product(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Take from vector k its parts along the k vectors before it. */
static void straighten(double *q, size_t k, size_t n)
{
    for (size_t j = 0; j < k; j++) {
        const double part = product(q + j * n, q + k * n, n);
        for (size_t i = 0; i < n; i++)
            q[k * n + i] -= part * q[j * n + i];
    }
}

/* Gram-Schmidt on `count` vectors of length n; the second time takes away what rounding left. */
static void orthonormalize(double *q, size_t count, size_t n)
{
    for (size_t k = 0; k < count; k++) {
        straighten(q, k, n);
        straighten(q, k, n);
        const double norm = sqrt(product(q + k * n, q + k * n, n));
        for (size_t i = 0; i < n; i++)
            q[k * n + i] /= norm;
    }
}

qs_status qs_orthogonal(uint64_t key, size_t rows, size_t cols, double gain, float *data,
                        qs_error *err)
{
    const size_t n = rows > cols ? rows : cols, count = rows > cols ? cols : rows;
    double *q = qs_calloc(n * count, sizeof *q);
    if (!q)
        return qs_fail_memory(err, (double)(n * count) * sizeof *q, "an orthogonal matrix");
    for (size_t i = 0; i < n * count; i++)
        q[i] = qs_normal(key, i);
    orthonormalize(q, count, n);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            data[r * cols + c] = (float)(gain * (rows > cols ? q[c * n + r] : q[r * n + c]));
    qs_free(q);
    return QS_OK;
}
