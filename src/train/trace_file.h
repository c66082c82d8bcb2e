/* SPDX-License-Identifier: MIT */
/* trace_file.h - what ran when, as a file for Perfetto and chrome://tracing. Private. */
#ifndef QS_TRAIN_TRACE_FILE_H
#define QS_TRAIN_TRACE_FILE_H

#include "base/record.h"
#include "graph/program.h"
#include "nn/model.h"

/* The whole file: gzip of Trace Event JSON, one complete event a span, times in microseconds from the
 * first span, one thread a lane. *bytes is qs_malloc'ed. */
qs_status qs_trace_pack(const qs_record *record, const qs_program *program, const qs_model *model,
                        unsigned char **bytes, size_t *n, qs_error *err);

#endif
