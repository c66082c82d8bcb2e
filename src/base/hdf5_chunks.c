/* SPDX-License-Identifier: MIT */
/* hdf5_chunks.c - every stored chunk must unpack to a whole chunk. */
#include "base/hdf5_chunks.h"

#include <libdeflate.h>
#include <math.h>
#include <stdbool.h>

#include "base/alloc.h"

enum { MOST_CHUNKS = 1 << 24, CHECKSUM = 4 };

/* How the chunks of a set are kept. */
typedef struct plan {
    int rank;
    hsize_t chunk[H5S_MAX_RANK], dim[H5S_MAX_RANK];
    size_t whole;   /* bytes that the last packing, or no packing, starts from */
    size_t trailer; /* bytes behind what was packed */
    bool packed;
    unsigned char *in, *out; /* [in_room], [whole] */
    size_t in_room;
    struct libdeflate_decompressor *unpacker;
} plan;

/* Filters in the order that writing applies them. */
static qs_status read_filters(hid_t list, plan *p, qs_error *err)
{
    for (int i = 0; i < H5Pget_nfilters(list); i++) {
        unsigned flags, config;
        size_t values = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(list, (unsigned)i, &flags, &values, NULL, 0, NULL, &config);
        if (filter == H5Z_FILTER_DEFLATE && !p->packed)
            p->packed = true;
        else if (filter == H5Z_FILTER_FLETCHER32)
            *(p->packed ? &p->trailer : &p->whole) += CHECKSUM;
        else if (filter != H5Z_FILTER_SHUFFLE)
            return qs_fail(err, QS_E_UNSUPPORTED,
                           "it is packed by filter %d; deflate and shuffle can be read", filter);
    }
    return QS_OK;
}

static bool read_extent(hid_t set, hid_t list, plan *p)
{
    const hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    p->rank = space >= 0 ? H5Sget_simple_extent_dims(space, p->dim, NULL) : -1;
    const bool fits = p->rank > 0 && H5Pget_chunk(list, H5S_MAX_RANK, p->chunk) == p->rank;
    p->whole = type >= 0 ? H5Tget_size(type) : 0;
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    double chunks = 1;
    for (int i = 0; fits && i < p->rank; i++) {
        p->whole *= (size_t)p->chunk[i]; /* the caller has bounded it */
        chunks *= ceil((double)p->dim[i] / (double)p->chunk[i]);
    }
    return fits && p->whole && chunks <= MOST_CHUNKS;
}

static bool unpacks(const plan *p, size_t stored)
{
    size_t n = 0;
    return stored > p->trailer &&
           libdeflate_zlib_decompress(p->unpacker, p->in, stored - p->trailer, p->out, p->whole,
                                      &n) == LIBDEFLATE_SUCCESS &&
           n == p->whole;
}

static bool room_for(plan *p, size_t stored)
{
    if (stored <= p->in_room)
        return true;
    unsigned char *more = qs_realloc(p->in, stored);
    if (more) {
        p->in = more;
        p->in_room = stored;
    }
    return more != NULL;
}

static qs_status check_chunk(hid_t set, plan *p, const hsize_t *at, qs_error *err)
{
    hsize_t stored = 0;
    uint32_t left_out = 0;
    if (H5Dget_chunk_storage_size(set, at, &stored) < 0 || stored == 0)
        return QS_OK; /* not there: it reads as the fill value */
    if (!p->packed)
        return stored == p->whole + p->trailer
                   ? QS_OK
                   : qs_fail(err, QS_E_FORMAT, "a chunk of %zu bytes is stored as %llu", p->whole,
                             (unsigned long long)stored);
    if (!room_for(p, (size_t)stored))
        return qs_fail_memory(err, (double)stored, "a chunk");
    if (H5Dread_chunk(set, H5P_DEFAULT, at, &left_out, p->in) < 0 || left_out ||
        !unpacks(p, (size_t)stored))
        return qs_fail(err, QS_E_FORMAT, "a chunk does not unpack to %zu bytes: it is damaged",
                       p->whole);
    return QS_OK;
}

/* The next chunk's first element; false after the last. */
static bool advance(const plan *p, hsize_t *at)
{
    for (int i = p->rank - 1; i >= 0; i--) {
        at[i] += p->chunk[i];
        if (at[i] < p->dim[i])
            return true;
        at[i] = 0;
    }
    return false;
}

static qs_status check_all(hid_t set, plan *p, qs_error *err)
{
    hsize_t at[H5S_MAX_RANK] = {0};
    p->out = p->packed ? qs_malloc(p->whole) : NULL;
    p->unpacker = p->packed ? libdeflate_alloc_decompressor() : NULL;
    if (p->packed && (!p->out || !p->unpacker))
        return qs_fail_memory(err, (double)p->whole, "a chunk");
    do
        QS_TRY(check_chunk(set, p, at, err));
    while (advance(p, at));
    return QS_OK;
}

qs_status qs_hdf5_chunks_check(hid_t set, qs_error *err)
{
    plan p = {0};
    const hid_t list = H5Dget_create_plist(set);
    if (list < 0)
        return qs_fail(err, QS_E_FORMAT, "its description is damaged");
    const bool chunked = H5Pget_layout(list) == H5D_CHUNKED;
    qs_status status = QS_OK;
    if (chunked && !read_extent(set, list, &p))
        status = qs_fail(err, QS_E_FORMAT, "its chunks are damaged, or more than %d", MOST_CHUNKS);
    if (chunked && status == QS_OK)
        status = read_filters(list, &p, err);
    H5Pclose(list);
    bool empty = false;
    for (int i = 0; i < p.rank; i++)
        empty |= p.dim[i] == 0;
    if (chunked && status == QS_OK && !empty)
        status = check_all(set, &p, err);
    if (p.unpacker)
        libdeflate_free_decompressor(p.unpacker);
    qs_free(p.in);
    qs_free(p.out);
    return status;
}
