/* SPDX-License-Identifier: MIT */
/* cpu.c - what the system says of its processors. */
#include "device/cpu/cpu.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

enum { LINE = 256 };

/* Of a small file of the system; false where there is none. */
static bool read_line(const char *path, char line[LINE])
{
    FILE *f = fopen(path, "r");
    const bool ok = f && fgets(line, LINE, f);
    if (f)
        fclose(f);
    return ok;
}

/* The number that text begins with, up to a space, comma or dash; *rest is what follows. */
static bool number_at(const char *text, double *out, const char **rest)
{
    const size_t n = strcspn(text, " ,-\n");
    *rest = text + n + (text[n] != 0);
    return qs_number_parse(text, n, out);
}

/* Cores' worth of time that the control group grants; 0: no limit. Version 2, then version 1. */
static double quota(void)
{
    char line[LINE];
    const char *rest;
    double most = 0, period = 0;
    if (read_line("/sys/fs/cgroup/cpu.max", line)) /* "max 100000" where there is no limit */
        return number_at(line, &most, &rest) && number_at(rest, &period, &rest) && period > 0
                   ? most / period
                   : 0;
    if (!read_line("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", line) || !number_at(line, &most, &rest))
        return 0;
    if (!read_line("/sys/fs/cgroup/cpu/cpu.cfs_period_us", line) ||
        !number_at(line, &period, &rest))
        return 0;
    return most > 0 && period > 0 ? most / period : 0;
}

/* Processor `cpu` is the first allowed one of its core's hardware threads, or the system is silent. */
static bool leads_core(size_t cpu, const cpu_set_t *allowed)
{
    char path[LINE], line[LINE];
    const char *rest;
    double first = 0;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%zu/topology/thread_siblings_list",
             cpu);
    if (!read_line(path, line) || !number_at(line, &first, &rest) || first >= CPU_SETSIZE)
        return true;
    return (size_t)first == cpu || !CPU_ISSET((size_t)first, allowed);
}

int qs_cpu_threads(void)
{
    cpu_set_t allowed;
    int cores = 0;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return 1;
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &allowed))
            cores += leads_core(cpu, &allowed);
    const double granted = quota();
    if (granted > 0 && granted < cores)
        cores = (int)(granted + 0.5);
    return cores > 0 ? cores : 1;
}

static char name[LINE];

static void read_name(void)
{
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[LINE];
    while (f && !name[0] && fgets(line, sizeof line, f)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon)
            snprintf(name, sizeof name, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
    }
    if (f)
        fclose(f);
}

const char *qs_cpu_name(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_name);
    return name;
}
