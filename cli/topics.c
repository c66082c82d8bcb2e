/* SPDX-License-Identifier: MIT */
/* topics.c - what several commands share, told once for --help and the man page. */
#include "help.h"

static const topic_row models[] = {
    {"nothing", "the default recipe: 784-750-150-50-50-10, ReLU, Dropout 0.2, softmax, Nadam"},
    {"NAME.yaml", "a recipe: model, data, train (see 'quickstep help recipe')"},
    {"NAME.json", "Keras' model.to_json(), Sequential or a Functional chain"},
    {"NAME.keras", "a Keras 3 archive: layers, weights, and compile state where present"},
    {"NAME.h5, NAME.hdf5", "a Keras whole-model HDF5 file"},
    {"a run's folder", "that run's best or last model, with its data and scaling"},
    {0},
};

static const topic_row sets[] = {
    {"fashion-mnist[:test], mnist[:test]",
     "28x28 images in 10 classes; looked for in $QUICKSTEP_DATA, ~/.keras/datasets, "
     "~/.cache/quickstep, /usr/share/datasets"},
    {"digits[:test]", "8x8 digits in 10 classes, inside the program: always there"},
    {"synthetic:N,SHAPE,CLASSES", "N made-up samples, as in synthetic:1000,28x28,10"},
    {"FILE.npz[:X,Y[,W]]", "arrays by key; default x/y, x_train/y_train or data/target; W holds "
                           "sample weights"},
    {"X.npy,Y.npy", "two NumPy arrays"},
    {"IMAGES,LABELS", "an IDX pair, with or without .gz"},
    {"FILE.csv[:label=COLUMN]", "a table of numbers with a label column"},
    {"FILE.h5:X,Y", "two HDF5 data sets"},
    {"a folder", "one sub-folder of images for each class"},
    {0},
};

static const topic_row recipe[] = {
    {"model:", "a list of layers, each 'name: {options}' or 'name: value', the first 'input: "
               "[shape]'; see 'quickstep help layers'"},
    {"data:", "train, valid, test, scale, validation_split, shuffle"},
    {"train:", "loss, optimizer, learning_rate, batch_size, epochs, metrics, seed, "
               "early_stopping, reduce_lr, class_weight, precision"},
    {"example", "model: [input: [64], dense: {units: 32, activation: relu}, dense: {units: 10, "
                "activation: softmax}]"},
    {0},
};

static const topic_row environment[] = {
    {"QUICKSTEP_DATA", "where named data sets are looked for first"},
    {"QUICKSTEP_CACHE", "where measurements are kept (default $XDG_CACHE_HOME/quickstep)"},
    {"QUICKSTEP_DEVICE", "stands in for --device"},
    {"QUICKSTEP_THREADS", "stands in for --threads"},
    {"QUICKSTEP_IMPL", "forces a rung of the implementation ladder, as in QUICKSTEP_IMPL=ref"},
    {"NO_COLOR", "set to anything: no colours"},
    {0},
};

static const topic_row exits[] = {
    {"0", "done"},
    {"1", "the work failed: diverged, device lost, disk full, out of memory"},
    {"2", "bad usage or bad input: unknown option, malformed or mismatching file"},
    {"130", "interrupted, after saving"},
    {0},
};

static const topic topics[] = {
    {"models", "Models", models},    {"data", "Data", sets},
    {"recipe", "Recipes", recipe},   {"environment", "Environment", environment},
    {"exits", "Exit status", exits},
};

const topic *topic_at(size_t index)
{
    return index < sizeof topics / sizeof *topics ? topics + index : NULL;
}
