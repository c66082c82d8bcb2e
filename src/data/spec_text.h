/* SPDX-License-Identifier: MIT */
/* spec_text.h - taking a data spec apart: FILE.end[:arguments], A,B. Private. */
#ifndef QS_DATA_SPEC_TEXT_H
#define QS_DATA_SPEC_TEXT_H

#include "data/store.h"

/* The bytes of FILE in "FILE.end" or "FILE.end:arguments", 0 where the spec has no such form. *after
 * is "" or what follows the colon. Letters of `end` match in either case. */
size_t qs_spec_file(const char *spec, const char *end, const char **after);

/* Up to `most` texts between commas, in the arena. Errors: QS_E_ARG, more of them or an empty one. */
qs_status qs_spec_words(qs_arena *arena, const char *text, size_t most, const char **word,
                        size_t *count, qs_error *err);

/* Up to three paths; a file whose name holds commas is one. */
qs_status qs_spec_paths(qs_arena *arena, const char *spec, const char *path[3], size_t *count,
                        qs_error *err);

const char *qs_spec_copy(qs_arena *arena, const char *text, size_t n); /* NULL: no memory */

#endif
