/* SPDX-License-Identifier: MIT */
/* fuzz_keras_h5.c - HDF5 of Keras: as a model, and as weights of another, in every layout. */
#include "model_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    read_model("x.h5", bytes, size);
    read_weights("x.weights.h5", bytes, size);
    return 0;
}
