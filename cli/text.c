/* SPDX-License-Identifier: MIT */
/* text.c - numbers and shapes as people read and write them. */
#include "text.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Reading is JSON's, which knows no locale; ".5" and "+1" are allowed besides. */
int number_parse(const char *text, double *out)
{
    char copy[TEXT_BYTES];
    const char *sign = *text == '-' ? "-" : "";
    text += *text == '-' || *text == '+';
    const int n = snprintf(copy, sizeof copy, "%s%s%s", sign, *text == '.' ? "0" : "", text);
    if (n < 0 || (size_t)n >= sizeof copy || strspn(text, "0123456789.eE+-") != strlen(text))
        return 0;
    json_t *number = json_loads(copy, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, NULL);
    const int ok = json_is_number(number) && isfinite(json_number_value(number));
    if (ok)
        *out = json_number_value(number);
    json_decref(number);
    return ok;
}

int integer_parse(const char *text, int64_t *out)
{
    const size_t digits = strspn(text, "0123456789");
    if (!digits || text[digits])
        return 0;
    int64_t value = 0;
    for (; *text; text++) {
        const int digit = *text - '0';
        if (value > (INT64_MAX - digit) / 10)
            return 0;
        value = value * 10 + digit;
    }
    *out = value;
    return 1;
}

const char *text_count(uint64_t n, char *text)
{
    char digits[TEXT_BYTES];
    const int len = snprintf(digits, sizeof digits, "%" PRIu64, n);
    size_t used = 0;
    for (int i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = digits[i];
    }
    text[used] = '\0';
    return text;
}

const char *text_bytes(double bytes, char *text)
{
    static const char *const unit[] = {"B", "kB", "MB", "GB", "TB"};
    int u = 0;
    for (; bytes >= 999.5 && u < 4; u++)
        bytes /= 1000;
    snprintf(text, TEXT_BYTES, u && bytes < 9.95 ? "%.1f %s" : "%.0f %s", bytes, unit[u]);
    return text;
}

const char *text_seconds(double seconds, char *text)
{
    const int minutes = (int)(seconds / 60);
    if (seconds < 9.95)
        snprintf(text, TEXT_BYTES, "%.*f s", seconds < 0.995 ? 2 : 1, seconds);
    else if (seconds < 120)
        snprintf(text, TEXT_BYTES, "%.0f s", seconds);
    else if (minutes < 120)
        snprintf(text, TEXT_BYTES, "%d:%02d min", minutes, (int)seconds % 60);
    else
        snprintf(text, TEXT_BYTES, "%d:%02d h", minutes / 60, minutes % 60);
    return text;
}

const char *text_shape(const size_t *dim, int rank, char *text)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < rank && used < TEXT_BYTES; i++)
        used += (size_t)snprintf(text + used, TEXT_BYTES - used, "%s%zu", i ? "x" : "", dim[i]);
    return text;
}

const char *text_ending(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    return dot ? dot : "";
}
