/* SPDX-License-Identifier: MIT */
/* nearest.c - which existing names somebody may have meant, by edit distance. */
#include "nearest.h"

#include <stdio.h>
#include <string.h>

static size_t least(size_t a, size_t b, size_t c)
{
    const size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Insertions, deletions and changes that turn a into b; texts beyond NEAREST_NAME are cut. */
static size_t distance(const char *a, size_t n, const char *b, size_t m)
{
    size_t row[NEAREST_NAME + 1];
    n = n < NEAREST_NAME ? n : NEAREST_NAME;
    m = m < NEAREST_NAME ? m : NEAREST_NAME;
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            const size_t above = row[j];
            row[j] = least(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[m];
}

void nearest_begin(nearest *n, const char *wanted, size_t len)
{
    *n = (nearest){.wanted = wanted, .len = len};
}

/* A typo or two, or a name that was cut short. */
static int is_near(const nearest *n, const char *name, size_t d)
{
    const size_t limit = n->len < 6 ? 2 : n->len / 3;
    return d <= limit || (n->len >= 4 && strncmp(name, n->wanted, n->len) == 0);
}

void nearest_offer(nearest *n, const char *name)
{
    const size_t d = distance(n->wanted, n->len, name, strlen(name));
    if (!is_near(n, name, d))
        return;
    int at = n->kept;
    while (at > 0 && n->distance[at - 1] > d)
        at--;
    if (at == NEAREST_KEPT)
        return;
    n->kept += n->kept < NEAREST_KEPT;
    for (int i = n->kept - 1; i > at; i--) {
        memcpy(n->name[i], n->name[i - 1], NEAREST_NAME);
        n->distance[i] = n->distance[i - 1];
    }
    snprintf(n->name[at], NEAREST_NAME, "%s", name);
    n->distance[at] = d;
}

const char *nearest_text(const nearest *n, const char *otherwise, char *text, size_t bytes)
{
    if (!n->kept) {
        snprintf(text, bytes, "%s", otherwise);
        return text;
    }
    size_t used = (size_t)snprintf(text, bytes, "did you mean ");
    for (int i = 0; i < n->kept && used < bytes; i++) {
        const char *after = i + 1 == n->kept ? "?" : i + 2 == n->kept ? " or " : ", ";
        used += (size_t)snprintf(text + used, bytes - used, "%s%s", n->name[i], after);
    }
    return text;
}
