/* SPDX-License-Identifier: MIT */
/* memory.c - asks the system how much memory is left. */
#include "base/memory.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/number.h"

enum { LINE = 512, KILO = 1024, SHARE = 16 };

/* The number behind `key` in a line "key: 123 kB", or in a file of one number where key is "". */
static bool read_number(const char *path, const char *key, size_t *out)
{
    char line[LINE];
    const size_t n = strlen(key);
    bool found = false;
    FILE *const file = fopen(path, "re");
    while (file && !found && fgets(line, sizeof line, file)) {
        if (strncmp(line, key, n) != 0 || (n && line[n] != ':' && line[n] != ' '))
            continue;
        const char *const at = line + n + strspn(line + n, ": ");
        int64_t number;
        if (!qs_integer_parse(at, strcspn(at, " \n"), &number) || number < 0)
            continue;
        *out = (size_t)number;
        found = true;
    }
    if (file)
        fclose(file);
    return found;
}

static size_t of_machine(void)
{
    static const char path[] = "/proc/meminfo";
    size_t available, swap = 0;
    if (!read_number(path, "MemAvailable", &available))
        return SIZE_MAX;
    read_number(path, "SwapFree", &swap);
    return (available + swap) / SHARE * (SHARE - 1) * KILO; /* others need some, too */
}

/* Where a version of control groups keeps its files, and how it calls them. */
typedef struct version {
    const char *controller, *root, *limit, *used, *cache;
} version;

static const version versions[] = {
    {"", "/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"},
    {"memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     "total_inactive_file"},
};

/* What one group leaves; files that nobody uses right now are given up when memory is short. */
static size_t of_group(const version *v, const char *group)
{
    char path[LINE];
    size_t limit, used, cache = 0;
    snprintf(path, sizeof path, "%s%s/%s", v->root, group, v->limit);
    if (!read_number(path, "", &limit))
        return SIZE_MAX;
    snprintf(path, sizeof path, "%s%s/%s", v->root, group, v->used);
    if (!read_number(path, "", &used))
        return SIZE_MAX;
    snprintf(path, sizeof path, "%s%s/memory.stat", v->root, group);
    read_number(path, v->cache, &cache);
    used -= cache < used ? cache : used;
    return limit > used ? limit - used : 0;
}

/* The least that a group and those around it leave. */
static size_t of_groups(const version *v, char *group)
{
    size_t least = SIZE_MAX;
    for (;;) {
        const size_t left = of_group(v, group);
        least = left < least ? left : least;
        char *const slash = strrchr(group, '/');
        if (!slash)
            return least;
        *slash = 0;
    }
}

/* Lines are NUMBER:CONTROLLERS:GROUP. */
static size_t of_line(char *line)
{
    char *const controller = strchr(line, ':');
    char *const group = controller ? strchr(controller + 1, ':') : NULL;
    if (!group)
        return SIZE_MAX;
    *group = 0;
    group[1 + strcspn(group + 1, "\n")] = 0;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (strcmp(controller + 1, versions[i].controller) == 0)
            return of_groups(&versions[i], group + 1);
    return SIZE_MAX;
}

/* Of the address space that ulimit -v leaves; the first number of statm is what is used, in pages. */
static size_t of_process(void)
{
    struct rlimit most;
    size_t pages;
    if (getrlimit(RLIMIT_AS, &most) != 0 || most.rlim_cur == RLIM_INFINITY ||
        !read_number("/proc/self/statm", "", &pages))
        return SIZE_MAX;
    const size_t used = pages * (size_t)sysconf(_SC_PAGESIZE);
    return most.rlim_cur > used ? most.rlim_cur - used : 0;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t qs_memory_free(void)
{
    char line[LINE / 2];
    size_t least = smaller(of_machine(), of_process());
    FILE *const file = fopen("/proc/self/cgroup", "re");
    while (file && fgets(line, sizeof line, file))
        least = smaller(least, of_line(line));
    if (file)
        fclose(file);
    return least;
}

qs_status qs_memory_check(double bytes, const char *what, qs_error *err)
{
    return bytes > (double)qs_memory_free() ? qs_fail_memory(err, bytes, what) : QS_OK;
}

qs_status qs_memory_verdict(size_t refusals, qs_status status, const char *what, qs_error *err)
{
    if (status == QS_E_NOMEM || qs_alloc_refusals() == refusals)
        return status;
    return qs_fail_memory(err, (double)qs_alloc_refused_bytes(), what);
}

qs_status qs_fail_memory(qs_error *err, double bytes, const char *what)
{
    const char *const unit = bytes < 1e5 ? "kB" : "MB";
    const double scale = bytes < 1e5 ? 1e3 : 1e6;
    return qs_fail(err, QS_E_NOMEM,
                   "%s needs %.1f %s of memory, which this machine would not give (%.0f MB are "
                   "free); take a smaller model, batch or set, or close other programs",
                   what, bytes / scale, unit, (double)qs_memory_free() / 1e6);
}
