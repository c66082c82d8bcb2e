/* SPDX-License-Identifier: MIT */
/* yaml_tree.h - YAML text as a tree of JSON that remembers its lines. Private. */
#ifndef QS_FORMAT_YAML_TREE_H
#define QS_FORMAT_YAML_TREE_H

#include <jansson.h>

#include "base/fail.h"

/* One document. Lines are left as nn/spec.h says (qs_json_line). *out is a new reference. Errors:
 * QS_E_FORMAT with the line: not YAML, a key twice, aliases that grow without end, more than one
 * document. */
qs_status qs_yaml_parse(const char *text, size_t bytes, json_t **out, qs_error *err);

#endif
