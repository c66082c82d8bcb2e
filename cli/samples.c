/* SPDX-License-Identifier: MIT */
/* samples.c - opens the sets that a command works on, all scaled alike. */
#include "samples.h"

#include <string.h>

#include "report.h"

/* The whole training set, whose last rows may be going to validate. */
static qs_status open_whole(const samples_plan *plan, qs_data **out, qs_error *err)
{
    qs_data_options options = QS_DATA_OPTIONS;
    options.scale = plan->scale;
    options.held_back = plan->valid ? 0 : plan->valid_split;
    return qs_data_open(plan->train, &options, out, err);
}

/* A set scaled like another. */
static qs_status open_set(const char *spec, const char *scale, const qs_data *like, qs_data **out,
                          qs_error *err)
{
    qs_data_options options = QS_DATA_OPTIONS;
    options.scale = scale;
    options.like = like;
    return qs_data_open(spec, &options, out, err);
}

static qs_status open_valid(const samples_plan *plan, samples *s, qs_error *err)
{
    if (plan->valid)
        return open_set(plan->valid, plan->scale, s->whole, &s->valid, err);
    if (plan->valid_split > 0)
        return qs_data_split(s->whole, plan->valid_split, &s->train, &s->valid, err);
    return QS_OK;
}

static qs_status open_test(const samples_plan *plan, samples *s, qs_error *err)
{
    qs_data_info info;
    qs_data_describe(s->whole, &info);
    const char *test = plan->test ? plan->test : plan->own_test ? info.test : NULL;
    if (!test)
        return QS_OK;
    s->test_name = test;
    return open_set(test, plan->scale, s->whole, &s->test, err);
}

qs_status samples_open(const samples_plan *plan, samples *out, qs_error *err)
{
    samples s = {0};
    qs_status status = open_whole(plan, &s.whole, err);
    s.train = s.whole;
    if (status == QS_OK)
        status = open_valid(plan, &s, err);
    if (status == QS_OK)
        status = open_test(plan, &s, err);
    if (status == QS_OK)
        *out = s;
    else
        samples_close(&s);
    return status;
}

void samples_close(samples *s)
{
    qs_data_close(s->valid);
    qs_data_close(s->test);
    if (s->train != s->whole)
        qs_data_close(s->train);
    qs_data_close(s->whole);
    *s = (samples){0};
}

/* These subtract and divide by what the training set says; the others look at one row alone. */
static int needs_statistics(const char *scale)
{
    return scale && (strcmp(scale, "standard") == 0 || strcmp(scale, "minmax") == 0);
}

qs_status samples_open_one(const char *spec, const char *scale, const char *train, samples_one *out,
                           qs_error *err)
{
    samples_one s = {0};
    const int wanted = needs_statistics(scale);
    if (wanted && !train)
        return fail(err, QS_E_ARG,
                    "--scale %s: this needs the statistics of the training set, which the model "
                    "does not name; give a run's folder or a model that was saved by train",
                    scale);
    qs_status status = QS_OK;
    if (wanted && strcmp(train, spec) != 0)
        status = open_set(train, scale, NULL, &s.like, err);
    if (status == QS_OK)
        status = open_set(spec, scale, s.like, &s.data, err);
    if (status == QS_OK)
        *out = s;
    else
        samples_close_one(&s);
    return status;
}

void samples_close_one(samples_one *s)
{
    qs_data_close(s->data);
    qs_data_close(s->like);
    *s = (samples_one){0};
}
