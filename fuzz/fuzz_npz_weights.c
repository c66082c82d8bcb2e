/* SPDX-License-Identifier: MIT */
/* fuzz_npz_weights.c - weights in an .npz file. */
#include "model_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    read_weights("x.npz", bytes, size);
    return 0;
}
