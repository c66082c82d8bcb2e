/* SPDX-License-Identifier: MIT */
/* keras_config.h - Keras' JSON of a model and of compile(), which three file formats share. Private.
 */
#ifndef QS_FORMAT_KERAS_CONFIG_H
#define QS_FORMAT_KERAS_CONFIG_H

#include "nn/model.h"

/* The member of Keras' model JSON that holds what Keras has no place for, as sections of a recipe:
 * `data`, what the model was trained on and how that was scaled; `train`, an optimizer of Keras 2. */
#define QS_KERAS_OWN "quickstep"

/* JSON text with limits on depth; *out is a new reference. Errors: QS_E_FORMAT with line and place.
 */
qs_status qs_json_parse(const char *text, size_t bytes, json_t **out, qs_error *err);

/* The shortest JSON text that reads back as the same numbers; qs_free() it; NULL: no memory. */
char *qs_json_text(const json_t *json);

/* {"class_name": "Sequential" | "Functional" | "Model", "config": …, "compile_config": …} of Keras 2
 * or 3. */
qs_status qs_keras_model(const json_t *json, qs_model **out, qs_error *err);

/* Settings of the member QS_KERAS_OWN of a model's JSON, which win over what it was compiled with. */
qs_status qs_keras_own(qs_model *model, const json_t *json, qs_error *err);

/* The layers of a Functional config in the order they run. Errors: anything but a chain is refused
 * by name. layer: [at most `room`] borrowed. */
qs_status qs_keras_chain(const json_t *config, const json_t **layer, size_t *count, qs_error *err);

/* What compile() was given: Keras 3's compile_config or training_config of a whole-model HDF5. */
qs_status qs_keras_compiled(qs_model *model, const json_t *compiled, qs_error *err);

/* Keras 3 JSON of the model, as a Sequential; NULL when memory runs out. New reference. */
json_t *qs_keras_model_json(const qs_model *model);

/* The same as text with its compile_config; qs_free() it; NULL: no memory. */
char *qs_keras_text(const qs_model *model);

/* Its compile_config; {} where nothing is known of training. `optimizer` is the key that the
 * optimizer goes by: "optimizer", or "optimizer_config" in whole-model HDF5. */
json_t *qs_keras_compile_json(const qs_model *model, const char *optimizer);

#endif
