/* SPDX-License-Identifier: MIT */
/* fuzz_idx.c - whatever the bytes, the IDX reader answers and stays inside them. */
#include "data/idx.h"

#include "data_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    qs_store store = {0};
    qs_array array = {0};
    if (qs_idx_parse(bytes, size, &store, &array, NULL) == QS_OK)
        touch(&array);
    qs_store_free(&store);
    return 0;
}
