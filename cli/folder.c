/* SPDX-License-Identifier: MIT */
/* folder.c - where a run's files go when the user does not say. */
#include "folder.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "report.h"

enum { LAST = 100000 };

/* A file's name without folder and ending, of letters that need no quoting. */
static void short_name(const char *model, char *out, size_t bytes)
{
    const char *slash = strrchr(model, '/');
    snprintf(out, bytes, "%s", slash && slash[1] ? slash + 1 : model);
    char *dot = strrchr(out, '.');
    if (dot && dot > out)
        *dot = '\0';
    for (char *c = out; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("-_.", *c))
            *c = '_';
}

qs_status folder_make(const char *model, char *path, size_t bytes, qs_error *err)
{
    char name[64], date[16];
    const time_t now = time(NULL);
    struct tm local;
    short_name(model, name, sizeof name);
    strftime(date, sizeof date, "%Y-%m-%d", localtime_r(&now, &local));
    if (mkdir("runs", 0777) != 0 && errno != EEXIST)
        return fail(err, QS_E_IO, "runs: cannot be made (%s); give --out DIR or --no-out",
                    strerror(errno));
    for (int n = 1; n < LAST; n++) {
        snprintf(path, bytes, "runs/%s-%s-%d", date, name, n);
        if (mkdir(path, 0777) == 0)
            return QS_OK;
        if (errno != EEXIST)
            break;
    }
    return fail(err, QS_E_IO, "%s: cannot be made (%s); give --out DIR or --no-out", path,
                strerror(errno));
}

void folder_drop(const char *path)
{
    rmdir(path);
}

qs_status folder_check(const char *option, const char *path, qs_error *err)
{
    char folder[4096];
    const char *slash = strrchr(path, '/');
    const int n = slash ? (int)(slash - path) : 0;
    snprintf(folder, sizeof folder, "%.*s", slash ? (n ? n : 1) : 1, slash ? path : ".");
    struct stat about;
    if (stat(folder, &about) != 0 || !S_ISDIR(about.st_mode))
        return fail(err, QS_E_MISSING, "%s %s: there is no folder %s; make it first", option, path,
                    folder);
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return fail(err, QS_E_ARG, "%s %s: this is a folder; name a file", option, path);
    if (access(folder, W_OK) != 0)
        return fail(err, QS_E_IO, "%s %s: the folder %s cannot be written to; give another one",
                    option, path, folder);
    return QS_OK;
}
