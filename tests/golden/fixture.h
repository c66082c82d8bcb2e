/* SPDX-License-Identifier: MIT */
/* fixture.h - one folder of recorded Keras results. */
#ifndef GOLDEN_FIXTURE_H
#define GOLDEN_FIXTURE_H

#include <jansson.h>

#include "npz.h"

typedef struct fixture {
    const char *name;
    char folder[512];
    json_t *run, *compile;
    npz data, expect;
} fixture;

/* The folder with the fixtures: $QS_SHARED/golden, or shared/golden beside the project. */
void fixture_root(char *path, size_t room);

bool fixture_open(const char *root, const char *name, fixture *out);
void fixture_path(const fixture *f, const char *file, char *path, size_t room);
void fixture_close(fixture *f);

#endif
