/* SPDX-License-Identifier: MIT */
/* gunzip.c - gzip in memory, all members, never past a limit. */
#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/file.h"

typedef struct inflation {
    z_stream stream;
    const unsigned char *in;
    size_t in_n, at; /* bytes given to zlib so far */
    unsigned char *out;
    size_t used, room, limit;
} inflation;

static void *zlib_alloc(void *self, unsigned count, unsigned size)
{
    (void)self;
    return qs_calloc(count, size);
}

static void zlib_free(void *self, void *p)
{
    (void)self;
    qs_free(p);
}

static bool is_gzip(const unsigned char *bytes, size_t n)
{
    return n >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static qs_status make_room(inflation *job, qs_error *err)
{
    if (job->used < job->room)
        return QS_OK;
    if (job->room >= job->limit)
        return qs_fail(err, QS_E_FORMAT, "gzip data unpack to more than the %zu bytes expected",
                       job->limit);
    const size_t guess = job->room ? 2 * job->room : 4 * job->in_n + 1024;
    const size_t room = smaller(guess, job->limit);
    unsigned char *const out = qs_realloc(job->out, room);
    if (!out)
        return qs_fail_memory(err, (double)room, "unpacking gzip");
    job->out = out;
    job->room = room;
    return QS_OK;
}

/* One call of inflate(); zlib counts in 32 bits, so both sides are handed over in pieces. */
static int step(inflation *job)
{
    z_stream *const z = &job->stream;
    const uInt in = (uInt)smaller(job->in_n - job->at, 1u << 30);
    const uInt out = (uInt)smaller(job->room - job->used, 1u << 30);
    z->next_in = (Bytef *)(uintptr_t)(job->in + job->at);
    z->avail_in = in;
    z->next_out = job->out + job->used;
    z->avail_out = out;
    const int code = inflate(z, Z_NO_FLUSH);
    job->at += in - z->avail_in;
    job->used += out - z->avail_out;
    return code;
}

static qs_status one_member(inflation *job, qs_error *err)
{
    for (;;) {
        QS_TRY(make_room(job, err));
        const int code = step(job);
        if (code == Z_STREAM_END)
            return QS_OK;
        if (code == Z_MEM_ERROR)
            return qs_fail_memory(err, 65536, "unpacking gzip");
        if (code != Z_OK && code != Z_BUF_ERROR)
            return qs_fail(err, QS_E_FORMAT, "gzip data are damaged near byte %zu: %s", job->at,
                           job->stream.msg ? job->stream.msg : "no gzip");
        if (job->at == job->in_n && job->used < job->room)
            return qs_fail(err, QS_E_FORMAT,
                           "gzip data end early, after %zu bytes; is the file complete?",
                           job->in_n);
    }
}

static bool only_zeros(const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i])
            return false;
    return true;
}

static qs_status all_members(inflation *job, qs_error *err)
{
    do {
        if (inflateReset(&job->stream) != Z_OK)
            return qs_fail(err, QS_E_FORMAT, "gzip data cannot be unpacked");
        QS_TRY(one_member(job, err));
    } while (is_gzip(job->in + job->at, job->in_n - job->at));
    if (!only_zeros(job->in + job->at, job->in_n - job->at))
        return qs_fail(err, QS_E_FORMAT, "%zu bytes that are not gzip follow the gzip data",
                       job->in_n - job->at);
    return QS_OK;
}

static qs_status copy(const unsigned char *bytes, size_t n, unsigned char **out, size_t *out_n,
                      qs_error *err)
{
    unsigned char *const p = qs_malloc(n);
    if (!p)
        return qs_fail_memory(err, (double)n, "a copy of a file");
    if (n > 0)
        memcpy(p, bytes, n);
    *out = p;
    *out_n = n;
    return QS_OK;
}

qs_status qs_gunzip(const unsigned char *bytes, size_t n, size_t limit, unsigned char **out,
                    size_t *out_n, qs_error *err)
{
    if (!is_gzip(bytes, n))
        return copy(bytes, n, out, out_n, err);

    inflation job = {.stream = {.zalloc = zlib_alloc, .zfree = zlib_free},
                     .in = bytes,
                     .in_n = n,
                     .limit = limit};
    if (inflateInit2(&job.stream, 16 + MAX_WBITS) != Z_OK)
        return qs_fail_memory(err, 65536, "unpacking gzip");
    const qs_status status = all_members(&job, err);
    inflateEnd(&job.stream);
    if (status != QS_OK) {
        qs_free(job.out);
        return status;
    }
    *out = job.out;
    *out_n = job.used;
    return QS_OK;
}
