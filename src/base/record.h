/* SPDX-License-Identifier: MIT */
/* record.h - keeps the spans that a tap is told: the latest of each lane. Private. */
#ifndef QS_BASE_RECORD_H
#define QS_BASE_RECORD_H

#include <stddef.h>

#include "base/fail.h"
#include "base/tap.h"

typedef struct qs_record qs_record;

/* Room for the latest `spans` of each of `lanes` lanes; nothing is allocated later. */
qs_status qs_record_open(size_t lanes, size_t spans, qs_record **out, qs_error *err);
void qs_record_close(qs_record *record); /* NULL is fine */

/* What to listen with; each lane is written by one thread at a time. Owned by the record. */
const qs_tap *qs_record_tap(qs_record *record);

/* The spans of a lane that are still there, oldest first. */
size_t qs_record_count(const qs_record *record, size_t lane);
const qs_span *qs_record_span(const qs_record *record, size_t lane, size_t index);
size_t qs_record_lanes(const qs_record *record);
size_t qs_record_lost(const qs_record *record); /* older spans that had to go, all lanes */

#endif
