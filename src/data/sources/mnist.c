/* SPDX-License-Identifier: MIT */
/* mnist.c - the 70,000 handwritten digits of MNIST: 60,000 to train, 10,000 to test. */
#include "data/named.h"

static const qs_named_set set = {
    .name = "mnist",
    .provider = "put mnist.npz, which keras.datasets.mnist.load_data() fetches, into "
                "~/.keras/datasets, or its four IDX files into ~/.keras/datasets/mnist",
};

static bool match(const char *spec)
{
    return qs_named_match(&set, spec);
}

static qs_status open_set(const char *spec, qs_store *store, qs_parts *out, qs_error *err)
{
    return qs_named_open(&set, spec, store, out, err);
}

const qs_source_kind qs_source_mnist = {
    .name = "mnist",
    .form = "mnist[:test]",
    .help = "28x28 handwritten digits in 10 classes (mnist.npz of Keras, or IDX files)",
    .match = match,
    .open = open_set,
};
