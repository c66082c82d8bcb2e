/* SPDX-License-Identifier: MIT */
/* torture_test.c - every allocation of opening a set or a feeder fails once: an error, no leak of
 * half a set, and the next try works. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "data/feeder.h"

static void setup(void)
{
    char path[1000];
    const char *const source = getenv("QS_SOURCE");
    snprintf(path, sizeof path, "%s/tests/unit/data/files", source ? source : ".");
    cr_assert_eq(chdir(path), 0, "run this from the source folder, or set QS_SOURCE");
}

TestSuite(torture, .init = setup);

static qs_status open_and_feed(const char *spec, qs_error *err)
{
    const qs_data_options options = {.bytes = sizeof options, .scale = "standard"};
    const qs_feeder_options feeding = {.batch = 4, .shuffle = true, .prefetch = -1, .workers = 1};
    qs_data *data = NULL, *train = NULL, *valid = NULL;
    qs_feeder *feeder = NULL;
    qs_status status = qs_data_open(spec, &options, &data, err);
    if (status == QS_OK)
        status = qs_data_split(data, 0.5, &train, &valid, err);
    if (status == QS_OK)
        status = qs_feeder_open(train, &feeding, &feeder, err);
    qs_feeder_close(feeder);
    qs_data_close(train);
    qs_data_close(valid);
    qs_data_close(data);
    return status;
}

static void refuse_each(const char *spec)
{
    qs_error err = {0};
    const size_t before = qs_alloc_calls();
    cr_assert_eq(open_and_feed(spec, &err), QS_OK, "%s: %s", spec, err.text);
    const size_t calls = qs_alloc_calls() - before;
    cr_assert_gt(calls, 3);
    for (size_t nth = 1; nth <= calls; nth++) {
        qs_alloc_refuse_nth(nth);
        const qs_status status = open_and_feed(spec, &err);
        qs_alloc_refuse_nth(0);
        cr_assert_eq(status, QS_E_NOMEM, "%s: allocation %zu of %zu: %s", spec, nth, calls,
                     err.text);
    }
    cr_assert_eq(open_and_feed(spec, &err), QS_OK);
}

Test(torture, every_source)
{
    static const char *const specs[] = {"packed.npz",
                                        "fortran.npy,y.npy",
                                        "images.gz,labels.gz",
                                        "floats-idx,labels.gz",
                                        "table.h5:x,y",
                                        "pictures",
                                        "digits",
                                        "synthetic:20,3x2,2",
                                        "x.npy,real.npy"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        refuse_each(specs[i]);
}

Test(torture, tables)
{
    FILE *const file = fopen("/tmp/qs-torture.csv", "w");
    cr_assert_not_null(file);
    fputs("a,b,kind\n1,2,rose\n3,4,\"iris\"\n5,7,iris\n", file);
    fclose(file);
    refuse_each("/tmp/qs-torture.csv");
    unlink("/tmp/qs-torture.csv");
}
