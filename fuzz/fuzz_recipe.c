/* SPDX-License-Identifier: MIT */
/* fuzz_recipe.c - a recipe in YAML. */
#include "model_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    read_model("x.yaml", bytes, size);
    return 0;
}
