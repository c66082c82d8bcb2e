/* SPDX-License-Identifier: MIT */
/* folder.h - where a run's files go when the user does not say. */
#ifndef QS_CLI_FOLDER_H
#define QS_CLI_FOLDER_H

#include <stddef.h>

#include "quickstep/status.h"

/* Make runs/<date>-<model>-<n> with the first free n, and write its name to path[bytes].
 * Errors  QS_E_IO  it cannot be made */
qs_status folder_make(const char *model, char *path, size_t bytes, qs_error *err);

/* Take it away again if it is still empty. */
void folder_drop(const char *path);

/* Whether a file at `path` could be written: the folder that it goes to is there and allows it.
 * Errors  QS_E_MISSING, QS_E_IO */
qs_status folder_check(const char *option, const char *path, qs_error *err);

#endif
