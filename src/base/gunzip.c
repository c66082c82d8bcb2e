/* SPDX-License-Identifier: MIT */
/* gunzip.c - gzip in memory, all members, never past a limit. */
#include <libdeflate.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"

enum { MOST_RATIO = 1032 /* of deflate */, LEAST_ROOM = 256 };

typedef struct inflation {
    struct libdeflate_decompressor *tool;
    const unsigned char *in;
    size_t in_n, at; /* what lies before `at` is unpacked */
    unsigned char *out;
    size_t used, room, limit;
} inflation;

static bool is_gzip(const unsigned char *bytes, size_t n)
{
    return n >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static qs_status set_room(inflation *job, size_t room, qs_error *err)
{
    unsigned char *const out = qs_realloc(job->out, room);
    if (!out)
        return qs_fail_memory(err, (double)room, "unpacking gzip");
    job->out = out;
    job->room = room;
    return QS_OK;
}

/* The file's last four bytes are the size of what is packed in it, where it has one member only
 * and nobody lies; otherwise the room grows. */
static size_t first_room(const inflation *job)
{
    const unsigned char *const end = job->in + job->in_n;
    const size_t claimed = job->in_n < 18 ? 0
                                          : (size_t)end[-4] | (size_t)end[-3] << 8 |
                                                (size_t)end[-2] << 16 | (size_t)end[-1] << 24;
    const size_t possible = claimed / MOST_RATIO <= job->in_n ? claimed : 4 * job->in_n;
    return smaller(possible > LEAST_ROOM ? possible : LEAST_ROOM, job->limit);
}

static qs_status more_room(inflation *job, qs_error *err)
{
    if (job->room >= job->limit)
        return qs_fail(err, QS_E_FORMAT, "gzip data unpack to more than the %zu bytes expected",
                       job->limit);
    return set_room(
        job, smaller(job->limit / 2 < job->room ? job->limit : 2 * job->room, job->limit), err);
}

static qs_status one_member(inflation *job, qs_error *err)
{
    for (;;) {
        size_t in_used, out_used;
        const enum libdeflate_result result = libdeflate_gzip_decompress_ex(
            job->tool, job->in + job->at, job->in_n - job->at, job->out + job->used,
            job->room - job->used, &in_used, &out_used);
        if (result == LIBDEFLATE_SUCCESS) {
            job->at += in_used;
            job->used += out_used;
            return QS_OK;
        }
        if (result != LIBDEFLATE_INSUFFICIENT_SPACE)
            return qs_fail(err, QS_E_FORMAT,
                           "gzip data are damaged or cut off (%zu bytes, from byte %zu on); is the "
                           "file complete?",
                           job->in_n, job->at);
        QS_TRY(more_room(job, err));
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
    QS_TRY(set_room(job, first_room(job), err));
    do
        QS_TRY(one_member(job, err));
    while (is_gzip(job->in + job->at, job->in_n - job->at));
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

    inflation job = {.in = bytes, .in_n = n, .limit = limit};
    job.tool = libdeflate_alloc_decompressor();
    if (!job.tool)
        return qs_fail_memory(err, 65536, "unpacking gzip");
    const qs_status status = all_members(&job, err);
    libdeflate_free_decompressor(job.tool);
    if (status != QS_OK) {
        qs_free(job.out);
        return status;
    }
    *out = job.out;
    *out_n = job.used;
    return QS_OK;
}
