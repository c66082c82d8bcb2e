/* SPDX-License-Identifier: MIT */
/* cases_data.c - opening each kind of source, with each kind of scaling. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/data.h"
#include "workshop.h"

typedef struct data_case {
    char spec[TORTURE_PATH];
    qs_data_options options;
    qs_data *data;
} data_case;

/* "standard digits": a scale, and a set. The files are those of the tests of sources. */
static void *open_case(const char *subject)
{
    data_case *c = calloc(1, sizeof *c);
    const char *const source = getenv("QS_SOURCE");
    const char *const space = strchr(subject, ' ');
    char path[TORTURE_PATH];
    snprintf(path, sizeof path, "%s/tests/unit/data/files", source ? source : ".");
    if (chdir(path) != 0) {
        const qs_error err = {QS_E_MISSING, "the files of tests/unit/data: set QS_SOURCE"};
        torture_need(err.code, &err);
    }
    c->options = (qs_data_options)QS_DATA_OPTIONS;
    c->options.scale = strncmp(subject, "standard", 8) == 0 ? "standard"
                       : strncmp(subject, "l2", 2) == 0     ? "l2"
                                                            : "none";
    if (strncmp(space + 1, "table.csv", 9) == 0)
        torture_path(space + 1, c->spec);
    else
        snprintf(c->spec, sizeof c->spec, "%s", space + 1);
    c->data = TORTURE_UNTOUCHED;
    return c;
}

static qs_status act_open(void *self, qs_error *err)
{
    data_case *c = self;
    return qs_data_open(c->spec, &c->options, &c->data, err);
}

static uint64_t mix_floats(uint64_t digest, const float *x, size_t n)
{
    return x ? torture_mix(digest, x, n * sizeof *x) : torture_mix_text(digest, NULL);
}

static uint64_t digest_data(void *self)
{
    const qs_data *d = ((data_case *)self)->data;
    const size_t features = qs_shape_count(&d->sample);
    uint64_t digest = torture_mix_text(1, d->name);
    digest = torture_mix(digest, d->x, d->rows * features * qs_dtype_bytes(d->x_type));
    if (d->y)
        digest = torture_mix(digest, d->y,
                             d->rows * (d->outputs ? d->outputs : 1) * qs_dtype_bytes(d->y_type));
    for (size_t i = 0; i < d->named; i++)
        digest = torture_mix_text(digest, d->class_name[i]);
    digest = torture_mix_text(torture_mix_text(digest, d->test), d->scale);
    digest = mix_floats(mix_floats(digest, d->weight, d->rows), d->row_factor, d->rows);
    return mix_floats(mix_floats(digest, d->mul, d->affine), d->add, d->affine);
}

static const char *touched(void *self)
{
    return ((data_case *)self)->data == TORTURE_UNTOUCHED ? NULL : "the result was written";
}

static void close_case(void *self)
{
    data_case *c = self;
    if (c->data != TORTURE_UNTOUCHED)
        qs_data_close(c->data);
    free(c);
}

#define OPEN(subject)                                                                              \
    {                                                                                              \
        "data", subject, open_case, act_open, digest_data, touched, close_case                     \
    }

const torture_case torture_data_cases[] = {
    OPEN("none digits"),
    OPEN("standard digits"),
    OPEN("l2 synthetic:20,2x6,4"),
    OPEN("none synthetic:20,2x6,4"),
    OPEN("standard x.npy,y.npy"),
    OPEN("none fortran.npy,real.npy"),
    OPEN("none packed.npz"),
    OPEN("none stored.npz"),
    OPEN("none odd.npz:samples,one_hot"),
    OPEN("l2 images.gz,labels.gz"),
    OPEN("none floats-idx,labels.gz"),
    OPEN("none table.csv"),
    OPEN("standard table.csv:label=kind"),
    OPEN("none table.h5"),
    OPEN("none table.h5:half,y"),
    OPEN("none pictures"),
    {0},
};
