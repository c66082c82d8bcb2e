/* SPDX-License-Identifier: MIT */
/* fashion_mnist.c - Zalando's 70,000 pictures of clothes: 60,000 to train, 10,000 to test. */
#include "data/named.h"

static const char *const class_name[] = {"T-shirt/top", "Trouser",   "Pullover", "Dress",
                                         "Coat",        "Sandal",    "Shirt",    "Sneaker",
                                         "Bag",         "Ankle boot"};

static const qs_named_set set = {
    .name = "fashion-mnist",
    .provider = "apt install dataset-fashion-mnist, or put its four IDX files into "
                "~/.keras/datasets/fashion-mnist",
    .class_name = class_name,
    .classes = sizeof class_name / sizeof *class_name,
};

static bool match(const char *spec)
{
    return qs_named_match(&set, spec);
}

static qs_status open_set(const char *spec, qs_store *store, qs_parts *out, qs_error *err)
{
    return qs_named_open(&set, spec, store, out, err);
}

const qs_source_kind qs_source_fashion_mnist = {
    .name = "fashion-mnist",
    .form = "fashion-mnist[:test]",
    .help = "28x28 pictures of clothes in 10 classes (package dataset-fashion-mnist)",
    .match = match,
    .open = open_set,
};
