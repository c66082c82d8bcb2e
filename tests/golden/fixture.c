/* SPDX-License-Identifier: MIT */
/* fixture.c - one folder of recorded Keras results. */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>

void fixture_root(char *path, size_t room)
{
    const char *shared = getenv("QS_SHARED"), *source = getenv("QS_SOURCE");
    if (shared)
        snprintf(path, room, "%s/golden", shared);
    else
        snprintf(path, room, "%s/../shared/golden", source ? source : ".");
}

void fixture_path(const fixture *f, const char *file, char *path, size_t room)
{
    snprintf(path, room, "%s/%s", f->folder, file);
}

static json_t *read_json(const fixture *f, const char *file)
{
    char path[600];
    fixture_path(f, file, path, sizeof path);
    return json_load_file(path, 0, NULL);
}

static bool read_npz(const fixture *f, const char *file, npz *out)
{
    char path[600];
    fixture_path(f, file, path, sizeof path);
    return npz_read(path, out);
}

bool fixture_open(const char *root, const char *name, fixture *out)
{
    *out = (fixture){.name = name};
    snprintf(out->folder, sizeof out->folder, "%s/%s", root, name);
    out->run = read_json(out, "run.json");
    out->compile = read_json(out, "compile.json");
    return out->run && out->compile && read_npz(out, "data.npz", &out->data) &&
           read_npz(out, "expect.npz", &out->expect);
}

void fixture_close(fixture *f)
{
    json_decref(f->run);
    json_decref(f->compile);
    npz_free(&f->data);
    npz_free(&f->expect);
}
