/* SPDX-License-Identifier: MIT */
/** @file model.h  Networks: layers, weights, files. */
#ifndef QUICKSTEP_MODEL_H
#define QUICKSTEP_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "quickstep/data.h"
#include "quickstep/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qs_model qs_model; /**< Opaque: layers, weights, and what it was compiled with. */

/**
 * Open a model: a recipe (.yaml), Keras JSON (.json), Keras archive (.keras), Keras whole-model
 * HDF5 (.h5, .hdf5) or a run's folder; NULL is the default recipe. Weights that the file has are
 * loaded; others wait for qs_model_init(), which training and saving do by themselves.
 *
 * Errors  QS_E_MISSING      no such file
 *         QS_E_FORMAT       malformed: the text has the place (line, member, offset)
 *         QS_E_UNSUPPORTED  a layer, option or dtype that cannot be done exactly: the text names it
 */
QS_API qs_status qs_model_open(const char *path, qs_model **out, qs_error *err);

/** The same from the text of a recipe (YAML, @p bytes long). Errors  as qs_model_open(). */
QS_API qs_status qs_model_parse(const char *recipe, size_t bytes, qs_model **out, qs_error *err);

/**
 * A model without layers whose samples are [shape[0], …, shape[rank-1]].
 * Errors  QS_E_SHAPE  rank is not in 1 … QS_MAX_RANK, or an axis is 0
 */
QS_API qs_status qs_model_create(const size_t *shape, int rank, qs_model **out, qs_error *err);

/**
 * Add a layer: its name and its options as in a recipe, "dense" with
 * "{units: 10, activation: relu}". @p options may be NULL.
 * Errors  QS_E_ARG    unknown layer or option (the text has the nearest names), or a value out of
 *                     range
 *         QS_E_SHAPE  it does not fit what is before it
 */
QS_API qs_status qs_model_add(qs_model *model, const char *layer, const char *options,
                              qs_error *err);

/**
 * Draw the initial weights that no file has set; the numbers depend on @p seed and the layer only.
 * Errors  QS_E_NOMEM  the text has the bytes asked for
 */
QS_API qs_status qs_model_init(qs_model *model, uint64_t seed, qs_error *err);

/**
 * Load weights into @p model: .weights.h5, .h5, .keras, .npz ("0", "1", … in get_weights() order)
 * or .safetensors. On failure the model's weights are unchanged.
 * Errors  as qs_model_open(); QS_E_SHAPE where a weight does not fit, the text has both shapes
 */
QS_API qs_status qs_model_load_weights(qs_model *model, const char *path, qs_error *err);

/**
 * Save by the file's ending: .keras, .h5, .weights.h5, .npz, .safetensors, .json, .yaml. Written
 * beside the target and renamed over it. With @p lossy 0 a format that would lose weights that are
 * there is refused.
 * Errors  QS_E_ARG          no format has this ending
 *         QS_E_UNSUPPORTED  the format would lose something: the text says what
 *         QS_E_IO           the file cannot be written; what was there is unchanged
 */
QS_API qs_status qs_model_save(const qs_model *model, const char *path, int lossy, qs_error *err);

/** What one layer is. Texts live as long as the model. */
typedef struct qs_layer_info {
    const char *name, *type; /**< "dense_1", "dense" */
    int rank;
    size_t output[QS_MAX_RANK]; /**< without the batch axis */
    size_t params;              /**< trainable or not */
    int trainable;
    const char *options; /**< as a recipe would write them */
} qs_layer_info;

/** What one weight is: Keras' get_weights() order. */
typedef struct qs_weight_info {
    const char *name; /**< "dense/kernel" */
    int rank;
    size_t shape[QS_MAX_RANK];
    int trainable;
    const float *data; /**< in Keras' layout; NULL before qs_model_init() */
} qs_weight_info;

QS_API const char *qs_model_name(const qs_model *model);
/** "keras", "recipe", …: where it came from. */
QS_API const char *qs_model_format(const qs_model *model);
QS_API size_t qs_model_params(const qs_model *model);
QS_API size_t qs_model_layers(const qs_model *model);
QS_API size_t qs_model_weights(const qs_model *model);
QS_API void qs_model_input(const qs_model *model, int *rank, size_t shape[QS_MAX_RANK]);
QS_API size_t qs_model_outputs(const qs_model *model); /**< elements of one sample's output */
/** Errors  QS_E_ARG  no such index. */
QS_API qs_status qs_model_layer(const qs_model *model, size_t index, qs_layer_info *out,
                                qs_error *err);
/** Errors  QS_E_ARG  no such index. */
QS_API qs_status qs_model_weight(const qs_model *model, size_t index, qs_weight_info *out,
                                 qs_error *err);
/**
 * Set weight @p index from @p n floats in Keras' layout.
 * Errors  QS_E_ARG  no such index · QS_E_SHAPE  n is not the weight's size
 */
QS_API qs_status qs_model_set_weight(qs_model *model, size_t index, const float *data, size_t n,
                                     qs_error *err);

typedef struct qs_weight_file qs_weight_file; /**< Opaque: names and shapes in a file of weights. */

/**
 * See what a file of weights alone holds (.weights.h5, .h5, .npz, .safetensors), without a model.
 * Errors  as qs_model_open(); QS_E_ARG where the ending names no such file
 */
QS_API qs_status qs_weight_file_open(const char *path, qs_weight_file **out, qs_error *err);
QS_API const char *qs_weight_file_format(const qs_weight_file *file); /**< "safetensors", … */
QS_API size_t qs_weight_file_count(const qs_weight_file *file);
/** Names as the file has them; data is NULL. Errors  QS_E_ARG  no such index. */
QS_API qs_status qs_weight_file_entry(const qs_weight_file *file, size_t index, qs_weight_info *out,
                                      qs_error *err);
QS_API void qs_weight_file_close(qs_weight_file *file); /**< NULL is fine */

/**
 * What the recipe or the compiled file says of training, as command-line text; NULL where it says
 * nothing. @p key is one of loss, optimizer, learning_rate, metrics, weighted_metrics, batch_size,
 * epochs, seed, early_stopping, reduce_lr, class_weight, precision, data.train, data.valid,
 * data.test, data.scale, data.validation_split, data.shuffle.
 */
QS_API const char *qs_model_setting(const qs_model *model, const char *key);

/**
 * Say it instead, by the same keys and in the same words; with @p text NULL it says nothing. Files
 * that hold more than weights keep it. A text that is the same stays where it is, because callers
 * hold on to what qs_model_setting() gave them.
 * Errors  QS_E_ARG  unknown key · QS_E_NOMEM
 */
QS_API qs_status qs_model_set(qs_model *model, const char *key, const char *text, qs_error *err);

/** What one step on @p batch samples costs. */
typedef struct qs_cost {
    double train_flops, predict_flops; /**< matrix products only, as for roofs */
    size_t weight_bytes, optimizer_bytes, activation_bytes;
    size_t calls; /**< calls of the program in one training step */
} qs_cost;

/** What the model costs at @p batch samples a step. Errors  QS_E_ARG  it has no layers. */
QS_API qs_status qs_model_cost(const qs_model *model, size_t batch, qs_cost *out, qs_error *err);

/** One name that a registry knows, for help, docs and completion. */
typedef struct qs_name_info {
    const char *name, *keras, *help;
} qs_name_info;

/**
 * Walk a registry: "layers", "activations", "initializers", "regularizers", "constraints",
 * "losses", "metrics", "optimizers", "schedules", "sources", "formats". Returns 0 past the end or
 * for an unknown registry.
 */
QS_API int qs_registry_entry(const char *registry, size_t index, qs_name_info *out);

QS_API void qs_model_close(qs_model *model); /**< NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
