/* SPDX-License-Identifier: MIT */
/* fuzz_csv.c - whatever the text, the table reader answers; the first byte picks the label. */
#include "data/csv.h"

#include "data_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const labels[] = {NULL, "none", "0", "-1", "b", "label"};
    qs_store store = {0};
    qs_parts parts = {0};
    const size_t pick = size ? bytes[0] % 6 : 0, skip = size ? 1 : 0;
    if (qs_csv_parse((const char *)bytes + skip, size - skip, labels[pick], &store, &parts, NULL) ==
        QS_OK)
        touch_parts(&parts);
    qs_store_free(&store);
    return 0;
}
