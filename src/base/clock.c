/* SPDX-License-Identifier: MIT */
/* clock.c - reading the monotonic clock, and waiting by it. */
#include "base/clock.h"

#include <time.h>

double qs_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void qs_clock_sleep(double seconds)
{
    const time_t whole = (time_t)seconds;
    const struct timespec t = {whole, (long)((seconds - (double)whole) * 1e9)};
    nanosleep(&t, NULL);
}
