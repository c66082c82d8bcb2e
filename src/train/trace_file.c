/* SPDX-License-Identifier: MIT */
/* trace_file.c - spans to Trace Event JSON, compressed as it is written. */
#include "train/trace_file.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"
#include "graph/graph.h"

typedef struct sink {
    z_stream z;
    unsigned char *at;
    size_t room;
    bool failed;
} sink;

static void grow(sink *s)
{
    const size_t used = s->room - s->z.avail_out, room = 2 * s->room;
    unsigned char *more = qs_realloc(s->at, room);
    if (!more) {
        s->failed = true;
        return;
    }
    s->at = more;
    s->z.next_out = more + used;
    s->z.avail_out = (uInt)(room - used);
    s->room = room;
}

static void put(sink *s, const char *text, int flush)
{
    s->z.next_in = (unsigned char *)(uintptr_t)text;
    s->z.avail_in = (uInt)strlen(text);
    int got = Z_OK;
    while (!s->failed && (s->z.avail_in || (flush == Z_FINISH && got != Z_STREAM_END))) {
        if (!s->z.avail_out)
            grow(s);
        if (!s->failed)
            got = deflate(&s->z, flush);
    }
}

static const char *name_of(const qs_span *span, const qs_program *program)
{
    switch (span->kind) {
    case QS_SPAN_CALL:
        return qs_op_name(program->call[span->id].op);
    case QS_SPAN_WAIT:
        return "wait";
    case QS_SPAN_STEP:
        return "step";
    case QS_SPAN_FEED:
        return "feed";
    default:
        return "checkpoint";
    }
}

static const char *layer_of(const qs_span *span, const qs_program *program, const qs_model *model)
{
    const int layer = span->kind == QS_SPAN_CALL ? program->call[span->id].layer : -1;
    return layer >= 0 ? model->layer[layer].name : "";
}

static void put_span(sink *s, const qs_span *span, double origin, const char *name,
                     const char *layer)
{
    char line[512];
    snprintf(line, sizeof line,
             ",\n{\"ph\":\"X\",\"name\":\"%s\",\"cat\":\"%s\",\"pid\":1,\"tid\":%u,\"ts\":%.3f,"
             "\"dur\":%.3f,\"args\":{\"call\":%u,\"layer\":\"%s\",\"part\":%u}}",
             name, span->kind == QS_SPAN_CALL ? "call" : "run", span->lane,
             (span->start - origin) * 1e6, (span->end - span->start) * 1e6, span->id, layer,
             span->part);
    put(s, line, Z_NO_FLUSH);
}

static double first_start(const qs_record *record)
{
    double first = -1;
    for (size_t lane = 0; lane < qs_record_lanes(record); lane++)
        for (size_t i = 0; i < qs_record_count(record, lane); i++) {
            const double start = qs_record_span(record, lane, i)->start;
            first = first < 0 || start < first ? start : first;
        }
    return first;
}

static void put_all(sink *s, const qs_record *record, const qs_program *program,
                    const qs_model *model)
{
    char line[256];
    const double origin = first_start(record);
    put(s,
        "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"producer\":\"quickstep\"},\"traceEvents\":[\n"
        "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"quickstep\"}}",
        Z_NO_FLUSH);
    for (size_t lane = 0; lane < qs_record_lanes(record); lane++) {
        snprintf(line, sizeof line,
                 ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":%zu,\"args\":"
                 "{\"name\":\"worker %zu\"}}",
                 lane, lane);
        put(s, line, Z_NO_FLUSH);
        for (size_t i = 0; i < qs_record_count(record, lane); i++) {
            const qs_span *span = qs_record_span(record, lane, i);
            put_span(s, span, origin, name_of(span, program), layer_of(span, program, model));
        }
    }
    put(s, "\n]}\n", Z_FINISH);
}

qs_status qs_trace_pack(const qs_record *record, const qs_program *program, const qs_model *model,
                        unsigned char **bytes, size_t *n, qs_error *err)
{
    enum { FIRST = 1 << 20, GZIP = 16 + MAX_WBITS, MEMORY = 8 };
    sink s = {.at = qs_malloc(FIRST), .room = FIRST};
    s.z.next_out = s.at;
    s.z.avail_out = FIRST;
    if (!s.at || deflateInit2(&s.z, Z_BEST_SPEED, Z_DEFLATED, GZIP, MEMORY, Z_DEFAULT_STRATEGY)) {
        qs_free(s.at);
        return qs_fail_memory(err, FIRST, "the trace");
    }
    put_all(&s, record, program, model);
    *n = s.room - s.z.avail_out;
    deflateEnd(&s.z);
    if (s.failed) {
        qs_free(s.at);
        return qs_fail_memory(err, 2.0 * (double)s.room, "the trace");
    }
    *bytes = s.at;
    return QS_OK;
}
