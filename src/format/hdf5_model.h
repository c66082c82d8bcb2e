/* SPDX-License-Identifier: MIT */
/* hdf5_model.h - weights and optimizer state in the two layouts that Keras keeps in HDF5. Private. */
#ifndef QS_FORMAT_HDF5_MODEL_H
#define QS_FORMAT_HDF5_MODEL_H

#include "format/format.h"
#include "format/hdf5_file.h"
#include "nn/model.h"

/* Read all weights, whichever layout it is: Keras 3's .weights.h5, or the named groups of older
 * and whole-model files. On failure the model is as it was. */
qs_status qs_hdf5_weights(const qs_hdf5 *file, qs_model *model, qs_error *err);

/* Names and shapes of all weights of a file, by their paths; the optimizer's are passed over. */
qs_status qs_hdf5_list(const unsigned char *bytes, size_t n, qs_weight_file *out, qs_error *err);

/* Keras 3's layout, as in .weights.h5 and .keras. Reading the state of an optimizer that the file
 * does not have, or that the model was not compiled with, leaves it absent. */
qs_status qs_hdf5_store_write(const qs_hdf5 *file, const qs_model *model, qs_error *err);
qs_status qs_hdf5_store_state(const qs_hdf5 *file, qs_model *model, qs_error *err);

/* The layout of whole-model files: groups by name under /model_weights and /optimizer_weights. */
qs_status qs_hdf5_named_write(const qs_hdf5 *file, const qs_model *model, qs_error *err);
qs_status qs_hdf5_named_state(const qs_hdf5 *file, qs_model *model, qs_error *err);

/* The weights under the group `root`, layer by layer in the order of the attribute layer_names. */
qs_status qs_hdf5_named_weights(const qs_hdf5 *file, const char *root, qs_model *model,
                                qs_error *err);

/* Whether `n` variables are the whole state of the model's optimizer; false where it was never
 * built and holds its counter alone. Errors: neither. */
qs_status qs_hdf5_state_there(const qs_model *model, size_t n, bool *there, qs_error *err);

/* For both: variable `index` of the optimizer is at the path that `path` writes. */
typedef void (*qs_state_path)(const void *self, size_t index, char path[512]);
qs_status qs_hdf5_state_read(const qs_hdf5 *file, qs_model *model, qs_state_path path,
                             const void *self, qs_error *err);
qs_status qs_hdf5_state_write(const qs_hdf5 *file, const qs_model *model, qs_state_path path,
                              const void *self, qs_error *err);

#endif
