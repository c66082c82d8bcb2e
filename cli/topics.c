/* SPDX-License-Identifier: MIT */
/* topics.c - what several commands share, told once for --help and the man page. */
#include "help.h"

#include "quickstep/model.h"

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
    {"named sets", "are looked for in $QUICKSTEP_DATA, ~/.keras/datasets, ~/.cache/quickstep, "
                   "/usr/share/datasets"},
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
    {"models", "Models", NULL, models},    {"data", "Data", "sources", sets},
    {"recipe", "Recipes", NULL, recipe},   {"environment", "Environment", NULL, environment},
    {"exits", "Exit status", NULL, exits},
};

const topic *topic_at(size_t index)
{
    return index < sizeof topics / sizeof *topics ? topics + index : NULL;
}

int topic_row_at(const topic *t, size_t index, topic_row *out)
{
    qs_name_info entry;
    size_t listed = 0;
    if (t->registry && qs_registry_entry(t->registry, index, &entry)) {
        *out = (topic_row){entry.name, entry.help};
        return 1;
    }
    while (t->registry && qs_registry_entry(t->registry, listed, &entry))
        listed++;
    *out = t->rows[0];
    for (size_t i = listed; i < index && out->term; i++)
        *out = t->rows[i - listed + 1];
    return out->term != NULL;
}
