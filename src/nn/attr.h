/* SPDX-License-Identifier: MIT */
/* attr.h - short forms for the rows of attribute tables. Private. */
#ifndef QS_NN_ATTR_H
#define QS_NN_ATTR_H

#include "nn/spec.h"

/* `words` of an argument that Keras does not have: its files leave it out. */
#define QS_ATTR_OWN "own"

/* clang-format off */
#define QS_NUMBER_ATTR(name, preset, min, max, help)  {name, QS_ATTR_NUMBER, preset, min, max, NULL, help}
#define QS_INTEGER_ATTR(name, preset, min, max, help) {name, QS_ATTR_INTEGER, preset, min, max, NULL, help}
#define QS_BOOL_ATTR(name, preset, help)              {name, QS_ATTR_BOOL, preset, 0, 0, NULL, help}
#define QS_WORD_ATTR(name, preset, words, help)       {name, QS_ATTR_TEXT, preset, 0, 0, words, help}
#define QS_LIST_ATTR(name, help)                      {name, QS_ATTR_NUMBERS, NULL, 0, 0, NULL, help}
#define QS_FIXED_ATTR(name, preset)                   {name, QS_ATTR_FIXED, preset, 0, 0, NULL, NULL}
#define QS_NAME_ATTR(preset)                          {"name", QS_ATTR_TEXT, preset, 0, 0, NULL, "name of this one in logs and files"}
#define QS_ATTRS_END                                  {NULL, QS_ATTR_FIXED, NULL, 0, 0, NULL, NULL}
/* clang-format on */

#endif
