/* SPDX-License-Identifier: MIT */
/* fuzz_keras_json.c - Keras' JSON of a model. */
#include "model_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    read_model("x.json", bytes, size);
    return 0;
}
