/* SPDX-License-Identifier: MIT */
/* array_file.h - writes one array of f32 as .npy, .npz or .csv. */
#ifndef QS_CLI_ARRAY_FILE_H
#define QS_CLI_ARRAY_FILE_H

#include <stddef.h>

#include "quickstep/status.h"

/* values [dim[0], …, dim[rank-1]], C order; borrowed. */
typedef struct array_view {
    const float *values;
    int rank;
    const size_t *dim;
} array_view;

/* Errors  QS_E_ARG  no known ending. */
qs_status array_file_check(const char *path, qs_error *err);

/* Write beside `path` and rename over it. In an .npz the array is called "y"; a .csv has a line for
 * each row of the first axis.
 * Errors  QS_E_ARG  no known ending · QS_E_IO  what was there is unchanged */
qs_status array_file_write(const char *path, const array_view *a, qs_error *err);

#endif
