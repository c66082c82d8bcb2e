/* SPDX-License-Identifier: MIT */
/* fuzz_npy.c - whatever the bytes, qs_npy_parse answers, and what it found lies inside them. */
#include <stdint.h>
#include <stdlib.h>

#include "tensor/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    qs_array array;
    bool fortran;
    qs_error err;
    if (qs_npy_parse(bytes, size, &array, &fortran, &err) != QS_OK)
        return 0;
    size_t count = 1;
    for (int i = 0; i < array.rank; i++)
        count *= array.dim[i];
    const uint8_t *data = array.data;
    if (data < bytes || data > bytes + size ||
        count > (size_t)(bytes + size - data) / qs_dtype_bytes(array.dtype))
        abort();
    return 0;
}
