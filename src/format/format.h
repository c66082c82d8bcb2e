/* SPDX-License-Identifier: MIT */
/* format.h - what a model file format is. Private.
 *
 * A new format is one file that defines a qs_file_format and one line in formats.def.
 */
#ifndef QS_FORMAT_FORMAT_H
#define QS_FORMAT_FORMAT_H

#include "nn/model.h"

/* Names and shapes of the weights of a file, for who has no model that they belong to. */
struct qs_weight_file {
    qs_arena arena;
    const char *format;
    qs_weight_info *weight; /* [count] */
    size_t count, room;
};

/* Errors: no memory, or more than a file could want. */
qs_status qs_weight_file_add(qs_weight_file *file, const char *name, const qs_shape *shape,
                             qs_error *err);

typedef struct qs_file_format {
    const char *name;   /* "keras" */
    const char *ending; /* ".keras"; longest match wins: ".weights.h5" before ".h5" */
    const char *also;   /* ".yml"; NULL */
    const char *help;
    bool architecture; /* holds layers */
    bool weights;      /* holds weights */
    bool optimizer;    /* holds the optimizer's state */
    int copies;        /* of its numbers that are in memory while it is written */
    /* Each NULL where the format cannot. bytes: the whole file. */
    qs_status (*read)(const unsigned char *bytes, size_t n, qs_model **out, qs_error *err);
    /* On failure the model is as it was. */
    qs_status (*read_weights)(const unsigned char *bytes, size_t n, qs_model *model, qs_error *err);
    qs_status (*list)(const unsigned char *bytes, size_t n, qs_weight_file *out, qs_error *err);
    /* The file's whole contents in *bytes (qs_malloc'ed). Every weight has its numbers. */
    qs_status (*write)(const qs_model *model, unsigned char **bytes, size_t *n, qs_error *err);
} qs_file_format;

extern const qs_file_format *const qs_file_formats[];      /* ends with NULL */
const qs_file_format *qs_file_format_of(const char *path); /* by ending; NULL: none */

/* " (it looks like an HDF5 file)" where the first bytes tell that the file is none of `format`; or
 * "". */
const char *qs_file_hint(const qs_file_format *format, const unsigned char *bytes, size_t n);

#endif
