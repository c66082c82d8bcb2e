/* SPDX-License-Identifier: MIT */
/* fuzz_safetensors.c - weights in a safetensors file. */
#include "model_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    read_weights("x.safetensors", bytes, size);
    return 0;
}
