/* SPDX-License-Identifier: MIT */
/* trace_file.c - spans to Trace Event JSON, compressed as it is written. */
#include "train/trace_file.h"

#include <jansson.h>
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
    s->z.next_in = NULL;
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

/* The layers' names as JSON strings, quotes included; NULL when memory runs out. */
static char **quoted_names(const qs_model *model, qs_arena *arena)
{
    char **names = QS_NEW_N(arena, char *, (size_t)model->layers + 1);
    for (int l = 0; names && l < model->layers; l++) {
        json_t *text = json_string(model->layer[l].name);
        char *quoted = text ? json_dumps(text, JSON_ENCODE_ANY) : NULL;
        names[l] = quoted ? qs_arena_alloc(arena, strlen(quoted) + 1, 1) : NULL;
        if (names[l])
            memcpy(names[l], quoted, strlen(quoted));
        else
            names = NULL;
        qs_free(quoted);
        json_decref(text);
    }
    return names;
}

/* Seconds as microseconds with three places, whatever the locale; returns text. */
enum { TIME_TEXT = 32 };
static const char *microseconds(double seconds, char text[TIME_TEXT])
{
    const long long ns = seconds > 0 ? (long long)(seconds * 1e9 + 0.5) : 0;
    snprintf(text, TIME_TEXT, "%lld.%03lld", ns / 1000, ns % 1000);
    return text;
}

static void put_span(sink *s, const qs_span *span, double origin, const char *name,
                     const char *layer)
{
    char line[1024], at[TIME_TEXT], lasts[TIME_TEXT];
    snprintf(line, sizeof line,
             ",\n{\"ph\":\"X\",\"name\":\"%s\",\"cat\":\"%s\",\"pid\":1,\"tid\":%u,\"ts\":%s,"
             "\"dur\":%s,\"args\":{\"call\":%u,\"layer\":%s,\"part\":%u}}",
             name, span->kind == QS_SPAN_CALL ? "call" : "run", span->lane,
             microseconds(span->start - origin, at), microseconds(span->end - span->start, lasts),
             span->id, layer, span->part);
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

static void put_all(sink *s, const qs_record *record, const qs_program *program, char **names)
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
            const int layer = span->kind == QS_SPAN_CALL ? program->call[span->id].layer : -1;
            put_span(s, span, origin, name_of(span, program), layer < 0 ? "null" : names[layer]);
        }
    }
    put(s, "\n]}\n", Z_FINISH);
}

static qs_status pack(const qs_record *record, const qs_program *program, char **names,
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
    put_all(&s, record, program, names);
    deflateEnd(&s.z);
    if (s.failed) {
        qs_free(s.at);
        return qs_fail_memory(err, 2.0 * (double)s.room, "the trace");
    }
    *bytes = s.at;
    *n = s.room - s.z.avail_out;
    return QS_OK;
}

qs_status qs_trace_pack(const qs_record *record, const qs_program *program, const qs_model *model,
                        unsigned char **bytes, size_t *n, qs_error *err)
{
    qs_arena arena = {0};
    char **names = quoted_names(model, &arena);
    const qs_status status = names ? pack(record, program, names, bytes, n, err)
                                   : qs_fail_memory(err, 1e3, "names of layers");
    qs_arena_free(&arena);
    return status;
}
