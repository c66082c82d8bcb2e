/* SPDX-License-Identifier: MIT */
/* recipe.h - the parts of a recipe, as JSON that remembers its lines. Private. */
#ifndef QS_FORMAT_RECIPE_H
#define QS_FORMAT_RECIPE_H

#include "nn/model.h"

/* Add the layer {NAME: arguments} or NAME, where arguments may hold name and trainable. */
qs_status qs_recipe_layer(qs_model *model, const json_t *layer, qs_error *err);

/* Put what the sections `data` and `train` say into the model's settings, as command-line text. */
qs_status qs_recipe_settings(qs_model *model, const json_t *recipe, qs_error *err);

/* Begin the text of a failure with its line: the one that is in it already, or this. 0: not known. */
qs_status qs_recipe_at(int line, qs_status status, qs_error *err);

/* Fail for the first key of `object` that is not in `keys` (ends with NULL). */
qs_status qs_recipe_keys(const json_t *object, const char *const *keys, qs_error *err);

/* The sections `data` and `train` of the model's settings, NULL when memory runs out. */
json_t *qs_recipe_section(const qs_model *model, const char *section);

/* The text of a whole recipe; qs_free() it. */
char *qs_recipe_text(const qs_model *model);

#endif
