/* SPDX-License-Identifier: MIT */
/* fuzz_keras.c - Keras' archive: as a model, and as weights of another. */
#include "model_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    read_model("x.keras", bytes, size);
    read_weights("x.keras", bytes, size);
    return 0;
}
