/* SPDX-License-Identifier: MIT */
/* nearest.h - which existing names somebody may have meant. */
#ifndef QS_CLI_NEAREST_H
#define QS_CLI_NEAREST_H

#include <stddef.h>

enum { NEAREST_KEPT = 3, NEAREST_NAME = 64 };

typedef struct nearest {
    const char *wanted; /* [len], borrowed */
    size_t len;
    char name[NEAREST_KEPT][NEAREST_NAME];
    size_t distance[NEAREST_KEPT];
    int kept;
} nearest;

void nearest_begin(nearest *n, const char *wanted, size_t len);
/* Consider one existing name. */
void nearest_offer(nearest *n, const char *name);
/* "did you mean a, b or c?", or `otherwise` where nothing is near; returns text. */
const char *nearest_text(const nearest *n, const char *otherwise, char *text, size_t bytes);

#endif
