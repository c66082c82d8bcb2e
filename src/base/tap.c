/* SPDX-License-Identifier: MIT */
/* tap.c - the clock of all spans. */
#include "base/tap.h"

#include <time.h>

double qs_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
