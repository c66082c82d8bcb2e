/* SPDX-License-Identifier: MIT */
/* clock.c - wall-clock time since the process began. */
#include "clock.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "text.h"

static double started; /* on the monotonic clock */

static double read_clock(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Field `index` of /proc/self/stat, counted behind the program's name; 0 on success. */
static int stat_field(int index, int64_t *out)
{
    char text[1024];
    FILE *file = fopen("/proc/self/stat", "r");
    if (!file)
        return -1;
    const size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    char *at = strrchr(text, ')'); /* the name may hold anything, spaces too */
    for (int i = 0; at && i <= index; i++)
        at = strchr(at + 1, ' ');
    if (!at)
        return -1;
    at[1 + strcspn(at + 1, " ")] = '\0';
    return integer_parse(at + 1, out) ? 0 : -1;
}

/* The kernel counts the start in ticks since boot; a tick is coarse, but loading shows in it. */
static double age(void)
{
    enum { START_TIME = 19 };
    int64_t ticks;
    if (stat_field(START_TIME, &ticks) != 0)
        return 0;
    const double begun = (double)ticks / (double)sysconf(_SC_CLK_TCK);
    const double old = read_clock(CLOCK_BOOTTIME) - begun;
    return old > 0 && old < 60 ? old : 0;
}

void clock_mark_start(void)
{
    started = clock_now() - age();
}

double clock_now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double clock_elapsed(void)
{
    return clock_now() - started;
}
