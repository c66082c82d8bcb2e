/* SPDX-License-Identifier: MIT */
/* near.h - what a mistyped name may have meant. Private. */
#ifndef QS_BASE_NEAR_H
#define QS_BASE_NEAR_H

#include <stddef.h>

/* For unknown names everywhere: " (did you mean 'relu' or 'elu'?)", " (nearest: 'relu', 'elu')"
 * where none is a plausible slip, "" where there are no names. `names` ends with NULL. Returns
 * text. */
const char *qs_nearest(const char *name, const char *const *names, char *text, size_t bytes);

#endif
