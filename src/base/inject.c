/* SPDX-License-Identifier: MIT */
/* inject.c - reads $QUICKSTEP_INJECT. */
#include "base/inject.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"

double qs_inject(const char *key)
{
    const char *at = getenv("QUICKSTEP_INJECT");
    const size_t n = strlen(key);
    for (; at && *at; at += strcspn(at, ","), at += *at == ',') {
        const size_t length = strcspn(at, ",");
        double x;
        if (length > n && strncmp(at, key, n) == 0 && at[n] == '=' &&
            qs_number_parse(at + n + 1, length - n - 1, &x) && x > 0)
            return x;
    }
    return 0;
}
