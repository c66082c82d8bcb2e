/* SPDX-License-Identifier: MIT */
/* spec_form.h - what the files that read and write specs share. Private. */
#ifndef QS_NN_SPEC_FORM_H
#define QS_NN_SPEC_FORM_H

#include "nn/spec.h"

/* A value of the command line as JSON: null, true, 1e-3, [1,2], (spec) or text. New reference; NULL
 * when memory runs out. */
json_t *qs_value_of_text(const char *text, size_t n);

/* Whether the value is a spec: of an argument that always is one, or of a number that may be. */
static inline bool qs_holds_spec(const qs_attr *attr, const qs_value *value)
{
    return attr->type == QS_ATTR_SPEC || value->spec;
}

/* Whether `word` is one of the attribute's words. */
bool qs_attr_says(const qs_attr *attr, const char *word);

/* Whether a value is what its preset says, so that it can be left out. */
bool qs_value_is_preset(const qs_attr *attr, const qs_value *value);

/* JSON as one line of YAML: {units: 10, activation: relu}. qs_free() it. */
char *qs_json_flow(const json_t *json);

/* Arguments as a recipe would write them on one line, presets left out: "{units: 10}", "0.2", "".
 * qs_free() it. */
char *qs_spec_options(const qs_spec *spec);

/* Fail with the unknown name and the nearest known ones. */
qs_status qs_kind_unknown(const qs_registry *in, const char *name, qs_status code, qs_error *err);

/* Name to look up for {"class_name", "module", "registered_name", "config"}. Errors: a class of
 * somebody's own. */
qs_status qs_keras_class(const json_t *json, const char **name, qs_error *err);

/* *fine: whether `name` is an argument that any Keras object has and that changes nothing here.
 * Errors: it has a value that would change something (dtype). */
qs_status qs_keras_common(const char *name, const json_t *value, bool *fine, qs_error *err);

#endif
