/* SPDX-License-Identifier: MIT */
/* fuzz_gunzip.c - whatever the bytes, qs_gunzip answers and never grows past its limit. */
#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { LIMIT = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    unsigned char *out = NULL;
    size_t n = 0;
    qs_error err;
    if (qs_gunzip(bytes, size, LIMIT, &out, &n, &err) != QS_OK)
        return 0;
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += out[i];
    if (n > LIMIT && n != size) /* what is not gzip is copied as it is */
        abort();
    qs_free(out);
    return sum == 1 && n == 0;
}
