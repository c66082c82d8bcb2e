/* SPDX-License-Identifier: MIT */
/* number.c - reading and writing numbers in the C locale, exactly. */
#include "base/number.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 400 }; /* 1e308 written out in full still fits */

static locale_t c_locale;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Most numbers in files: at most 15 digits and a small power of ten, so that one exact division is
 * the right answer. False: the text needs the slow way. */
static bool parse_short(const char *text, size_t n, double *out)
{
    static const double power[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const size_t sign = n > 0 && text[0] == '-';
    int64_t digits = 0;
    size_t seen = 0, point = n;
    if (n - sign > 16)
        return false;
    for (size_t i = sign; i < n; i++) {
        if (text[i] == '.' && point == n)
            point = i;
        else if (is_digit(text[i]))
            digits = digits * 10 + (text[i] - '0'), seen++;
        else
            return false;
    }
    if (seen == 0 || seen > 15)
        return false;
    const double x = (double)digits / power[point == n ? 0 : n - 1 - point];
    *out = sign ? -x : x;
    return true;
}

/* strtod alone would also take spaces, hexadecimal and "nan(…)". */
static bool looks_decimal(const char *text)
{
    const char *const at = text + (text[0] == '-' || text[0] == '+');
    static const char *const words[] = {"inf", "infinity", "nan"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(at, words[i]) == 0)
            return true;
    return at[0] && strspn(at, "0123456789.eE+-") == strlen(at);
}

bool qs_number_parse(const char *text, size_t n, double *out)
{
    if (parse_short(text, n, out))
        return true;
    char copy[LONGEST + 1];
    if (n == 0 || n > LONGEST || memchr(text, 0, n))
        return false;
    memcpy(copy, text, n);
    copy[n] = 0;
    if (!looks_decimal(copy))
        return false;

    pthread_once(&once, make_locale);
    char *end;
    errno = 0;
    const double x = strtod_l(copy, &end, c_locale);
    if (end != copy + n || (errno == ERANGE && fabs(x) > 1))
        return false;
    *out = x;
    return true;
}

bool qs_integer_parse(const char *text, size_t n, int64_t *out)
{
    const bool negative = n > 0 && text[0] == '-';
    const size_t first = n > 0 && (text[0] == '-' || text[0] == '+');
    uint64_t x = 0;
    const uint64_t most = (uint64_t)INT64_MAX + negative;
    if (first == n)
        return false;
    for (size_t i = first; i < n; i++) {
        if (!is_digit(text[i]))
            return false;
        const uint64_t digit = (uint64_t)(text[i] - '0');
        if (x > (most - digit) / 10)
            return false;
        x = x * 10 + digit;
    }
    *out = negative ? (int64_t)(0 - x) : (int64_t)x;
    return true;
}

const char *qs_number_text(double x, char text[QS_NUMBER_TEXT])
{
    pthread_once(&once, make_locale);
    const locale_t before = uselocale(c_locale);
    if (isnan(x))
        snprintf(text, QS_NUMBER_TEXT, "nan");
    else
        for (int digits = 15; digits <= 17; digits++) { /* 15 digits, zeros cut, is shortest */
            snprintf(text, QS_NUMBER_TEXT, "%.*g", digits, x);
            if (strtod_l(text, NULL, c_locale) == x)
                break;
        }
    uselocale(before);
    return text;
}
