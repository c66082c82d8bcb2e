/* SPDX-License-Identifier: MIT */
/* fail.c - errors as values: a code and a story that grows outwards. */
#include "base/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *qs_status_text(qs_status code)
{
    switch (code) {
#define X(name, value, exit_code, text)                                                            \
    case QS_##name:                                                                                \
        return text;
        QS_STATUS_LIST(X)
#undef X
    }
    return "unknown status";
}

int qs_status_exit(qs_status code)
{
    switch (code) {
#define X(name, value, exit_code, text)                                                            \
    case QS_##name:                                                                                \
        return exit_code;
        QS_STATUS_LIST(X)
#undef X
    }
    return 1;
}

qs_status qs_fail(qs_error *err, qs_status code, const char *fmt, ...)
{
    if (err) {
        va_list args;
        va_start(args, fmt);
        err->code = code;
        vsnprintf(err->text, sizeof err->text, fmt, args);
        va_end(args);
    }
    return code;
}

qs_status qs_context(qs_error *err, qs_status code, const char *fmt, ...)
{
    if (err && code != QS_OK) {
        char inner[sizeof err->text];
        memcpy(inner, err->text, sizeof inner);

        va_list args;
        va_start(args, fmt);
        int used = vsnprintf(err->text, sizeof err->text, fmt, args);
        va_end(args);

        if (used >= 0 && (size_t)used < sizeof err->text)
            snprintf(err->text + used, sizeof err->text - (size_t)used, ": %s", inner);
    }
    return code;
}
