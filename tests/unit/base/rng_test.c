/* rng_test.c - random numbers: permutations are permutations, normals are normal. */
#include "base/rng.h"

#include <criterion/criterion.h>
#include <math.h>

Test(rng, permutation_holds_every_index_once)
{
    uint32_t index[1000];
    int seen[1000] = {0};
    qs_permute(7, index, 1000);
    for (int i = 0; i < 1000; i++)
        seen[index[i]]++;
    for (int i = 0; i < 1000; i++)
        cr_assert_eq(seen[i], 1, "index %d is there %d times", i, seen[i]);
}

Test(rng, normal_has_mean_0_and_variance_1)
{
    double sum = 0, square = 0;
    enum { N = 100000 };
    for (int i = 0; i < N; i++) {
        const double x = qs_normal(3, (uint64_t)i);
        sum += x;
        square += x * x;
    }
    cr_assert_lt(fabs(sum / N), 5 / sqrt(N));
    cr_assert_lt(fabs(square / N - 1), 5 * sqrt(2.0 / N));
}
