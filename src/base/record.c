/* SPDX-License-Identifier: MIT */
/* record.c - a ring of spans for each lane. */
#include "base/record.h"

#include "base/alloc.h"

typedef struct lane {
    _Alignas(64) size_t count; /* spans ever told */
    qs_span *span;             /* [room] */
} lane;

struct qs_record {
    qs_tap tap;
    size_t lanes, room;
    lane *lane;
    qs_span *spans;
};

static void keep(void *self, const qs_span *span)
{
    qs_record *r = self;
    if (span->lane >= r->lanes)
        return;
    lane *l = &r->lane[span->lane];
    l->span[l->count++ % r->room] = *span;
}

qs_status qs_record_open(size_t lanes, size_t spans, qs_record **out, qs_error *err)
{
    qs_record *r = qs_calloc(1, sizeof *r);
    lane *all = qs_calloc(lanes, sizeof *all);
    qs_span *room = qs_calloc(lanes * spans, sizeof *room);
    if (!r || !all || !room) {
        qs_free(r);
        qs_free(all);
        qs_free(room);
        return qs_fail_memory(err, (double)(lanes * spans) * sizeof *room, "the profile");
    }
    for (size_t i = 0; i < lanes; i++)
        all[i].span = room + i * spans;
    *r = (qs_record){.tap = {keep, r}, .lanes = lanes, .room = spans, .lane = all, .spans = room};
    *out = r;
    return QS_OK;
}

void qs_record_close(qs_record *r)
{
    if (!r)
        return;
    qs_free(r->lane);
    qs_free(r->spans);
    qs_free(r);
}

const qs_tap *qs_record_tap(qs_record *r)
{
    return &r->tap;
}

size_t qs_record_lanes(const qs_record *r)
{
    return r->lanes;
}

size_t qs_record_count(const qs_record *r, size_t lane_number)
{
    const size_t told = r->lane[lane_number].count;
    return told < r->room ? told : r->room;
}

const qs_span *qs_record_span(const qs_record *r, size_t lane_number, size_t index)
{
    const lane *l = &r->lane[lane_number];
    const size_t first = l->count < r->room ? 0 : l->count;
    return &l->span[(first + index) % r->room];
}

size_t qs_record_lost(const qs_record *r)
{
    size_t lost = 0;
    for (size_t i = 0; i < r->lanes; i++)
        lost += r->lane[i].count - qs_record_count(r, i);
    return lost;
}
