/* SPDX-License-Identifier: MIT */
/* fuzz_npz.c - whatever the bytes, the .npz reader answers; its arrays are whole. */
#include "data/npz.h"

#include "data_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    qs_store store = {0};
    qs_parts parts = {0};
    bool test;
    if (qs_npz_parse(bytes, size, "", &store, &parts, &test, NULL) == QS_OK)
        touch_parts(&parts);
    qs_store_free(&store);
    return 0;
}
