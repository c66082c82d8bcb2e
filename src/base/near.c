/* SPDX-License-Identifier: MIT */
/* near.c - edit distance, and the few names with the smallest. */
#include "quickstep/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 64, SHOWN = 3 };

/* Spelling that people mix up is one spelling: case, '-' and '_'. Returns the length. */
static size_t fold(const char *name, char out[LONGEST + 1])
{
    size_t n = 0;
    for (; name[n] && n < LONGEST; n++) {
        const char c = name[n];
        out[n] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c == '-' ? '_' : c;
    }
    out[n] = 0;
    return n;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
static unsigned distance(const char *a, size_t na, const char *b, size_t nb)
{
    unsigned row[3][LONGEST + 1];
    unsigned *before = row[0], *last = row[1], *now = row[2];
    for (size_t j = 0; j <= nb; j++)
        last[j] = (unsigned)j;
    for (size_t i = 1; i <= na; i++) {
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= nb; j++) {
            now[j] = least(least(last[j], now[j - 1]) + 1,
                           last[j - 1] + (unsigned)(a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
        unsigned *const spare = before;
        before = last, last = now, now = spare;
    }
    return last[nb];
}

/* 0 is the same; a name that holds the other one counts as one slip. */
static unsigned score(const char *name, const char *candidate)
{
    char a[LONGEST + 1], b[LONGEST + 1];
    const size_t na = fold(name, a), nb = fold(candidate, b);
    const unsigned d = distance(a, na, b, nb);
    return d > 1 && na >= 3 && nb >= 3 && (strstr(a, b) || strstr(b, a)) ? 1 : d;
}

static bool plausible(const char *name, unsigned slips)
{
    return slips <= 1 + strlen(name) / 4;
}

/* The best names, best first, the list's order between equals; returns how many. */
static size_t pick(const char *name, const char *const *names, const char *best[SHOWN],
                   unsigned slips[SHOWN])
{
    size_t n = 0;
    for (size_t i = 0; names[i]; i++) {
        const unsigned s = score(name, names[i]);
        size_t at = n;
        while (at > 0 && slips[at - 1] > s)
            at--;
        if (at == SHOWN)
            continue;
        n += n < SHOWN;
        for (size_t k = n - 1; k > at; k--)
            best[k] = best[k - 1], slips[k] = slips[k - 1];
        best[at] = names[i], slips[at] = s;
    }
    return n;
}

const char *qs_nearest(const char *name, const char *const *names, char *text, size_t bytes)
{
    const char *best[SHOWN];
    unsigned slips[SHOWN];
    size_t n = pick(name, names, best, slips);
    text[0] = 0;
    if (n == 0)
        return text;

    const bool meant = plausible(name, slips[0]);
    while (meant && !plausible(name, slips[n - 1]))
        n--;
    int at = snprintf(text, bytes, "%s", meant ? " (did you mean " : " (nearest: ");
    for (size_t i = 0; i < n && (size_t)at < bytes; i++) {
        const char *const join = i == 0 ? "" : meant && i + 1 == n ? " or " : ", ";
        at += snprintf(text + at, bytes - (size_t)at, "%s'%s'", join, best[i]);
    }
    if ((size_t)at < bytes)
        snprintf(text + at, bytes - (size_t)at, "%s", meant ? "?)" : ")");
    return text;
}
