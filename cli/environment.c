/* SPDX-License-Identifier: MIT */
/* environment.c - what a run ran on, for its record. */
#include "environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "quickstep/quickstep.h"
#include "report.h"

static const char *const variables[] = {"QUICKSTEP_DATA",    "QUICKSTEP_CACHE", "QUICKSTEP_DEVICE",
                                        "QUICKSTEP_THREADS", "QUICKSTEP_IMPL",  "QUICKSTEP_INJECT"};

/* The processor's own name. */
static json_t *cpu_name(void)
{
    char line[256];
    json_t *out = NULL;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !out && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (colon && strncmp(line, "model name", 10) == 0) {
            line[strcspn(line, "\n")] = '\0';
            out = json_text(colon + 1 + strspn(colon + 1, " "));
        }
    }
    if (file)
        fclose(file);
    return out ? out : json_null();
}

static json_t *date_json(void)
{
    char text[40];
    const time_t now = time(NULL);
    struct tm utc;
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    return json_text(text);
}

json_t *environment_json(void)
{
    char folder[4096];
    struct utsname system;
    json_t *out = json_object(), *set = json_object();
    json_object_set_new(out, "date", date_json());
    json_object_set_new(out, "folder", json_text(getcwd(folder, sizeof folder)));
    json_object_set_new(out, "cpu", cpu_name());
    json_object_set_new(out, "cores", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
    if (uname(&system) == 0) {
        json_object_set_new(out, "system", json_text(system.sysname));
        json_object_set_new(out, "release", json_text(system.release));
        json_object_set_new(out, "machine", json_text(system.machine));
        json_object_set_new(out, "host", json_text(system.nodename));
    }
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        json_object_set_new(set, variables[i], json_text(getenv(variables[i])));
    json_object_set_new(out, "variables", set);
    return out;
}

json_t *versions_json(void)
{
    json_t *out = json_object();
    json_object_set_new(out, "quickstep", json_text(QS_VERSION));
    json_object_set_new(out, "libquickstep", json_text(qs_version()));
    json_object_set_new(out, "jansson", json_text(jansson_version_str()));
#ifdef __VERSION__
    json_object_set_new(out, "compiler", json_text(__VERSION__));
#endif
    return out;
}

size_t environment_peak_bytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (size_t)usage.ru_maxrss * 1024 : 0;
}
