/* SPDX-License-Identifier: MIT */
/* report.c - how the program says things: errors, remarks, JSON values. */
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

qs_status fail(qs_error *err, qs_status code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    err->code = code;
    vsnprintf(err->text, sizeof err->text, fmt, args);
    va_end(args);
    return code;
}

qs_status fail_within(qs_error *err, qs_status code, const char *fmt, ...)
{
    char inner[sizeof err->text];
    memcpy(inner, err->text, sizeof inner);
    va_list args;
    va_start(args, fmt);
    const int used = vsnprintf(err->text, sizeof err->text, fmt, args);
    va_end(args);
    const int room = (int)sizeof err->text - 1 - used - (int)strlen(": ");
    if (used >= 0 && room > 0)
        snprintf(err->text + used, sizeof err->text - (size_t)used, ": %.*s", room, inner);
    err->code = code;
    return code;
}

qs_status fail_advice(qs_error *err, qs_status code, const char *fmt, ...)
{
    const size_t used = strlen(err->text);
    if (strchr(err->text, ';') || used + 3 > sizeof err->text)
        return code;
    memcpy(err->text + used, "; ", 3);
    va_list args;
    va_start(args, fmt);
    vsnprintf(err->text + used + 2, sizeof err->text - used - 2, fmt, args);
    va_end(args);
    return code;
}

void report_error(const qs_error *err)
{
    char line[sizeof err->text];
    memcpy(line, err->text, sizeof line);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    fprintf(stderr, "quickstep: error: %s\n", line);
}

json_t *json_number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *json_count(size_t n)
{
    return json_integer((json_int_t)n);
}

json_t *json_text(const char *text)
{
    if (!text)
        return json_null();
    json_t *as_is = json_string(text);
    if (as_is)
        return as_is;
    char *plain = strdup(text);
    for (char *c = plain; c && *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    json_t *out = plain ? json_string(plain) : json_null();
    free(plain);
    return out;
}

void report_json(const json_t *document)
{
    json_dumpf(document, stdout, JSON_REAL_PRECISION(15));
    putchar('\n');
}

qs_status report_flush(qs_error *err)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return QS_OK;
    return fail(err, QS_E_IO,
                "standard output: the result could not be written (%s); free some space or send it "
                "elsewhere",
                strerror(errno));
}
