/* SPDX-License-Identifier: MIT */
/* fuzz_h5.c - whatever the bytes, the HDF5 reader answers; its arrays are whole. */
#include "data/h5.h"

#include "data_target.h"

const char *__asan_default_options(void);
const char *__lsan_default_suppressions(void);

/* It asks for whatever size a file claims, and lives with being refused. */
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

/* The library itself forgets some of its memory when a file is damaged. */
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    qs_store store = {0};
    qs_parts parts = {0};
    if (qs_h5_parse(bytes, size, "", &store, &parts, NULL) == QS_OK)
        touch_parts(&parts);
    qs_store_free(&store);
    return 0;
}
