/* SPDX-License-Identifier: MIT */
/* record_test.c - the latest spans are kept, in order, lane by lane. */
#include "base/record.h"

#include <criterion/criterion.h>

static void tell(qs_record *r, uint32_t lane, uint32_t id)
{
    const qs_tap *tap = qs_record_tap(r);
    tap->span(tap->self, &(qs_span){.kind = QS_SPAN_CALL, .id = id, .lane = lane});
}

Test(record, keeps_the_latest_of_each_lane_oldest_first)
{
    qs_record *r;
    cr_assert_eq(qs_record_open(2, 4, &r, NULL), QS_OK);
    for (uint32_t i = 0; i < 6; i++)
        tell(r, 0, i);
    tell(r, 1, 100);
    cr_assert_eq(qs_record_count(r, 0), 4);
    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(qs_record_span(r, 0, i)->id, 2 + i);
    cr_assert_eq(qs_record_count(r, 1), 1);
    cr_assert_eq(qs_record_span(r, 1, 0)->id, 100);
    cr_assert_eq(qs_record_lost(r), 2);
    qs_record_close(r);
}

Test(record, a_lane_that_is_not_there_is_passed_over)
{
    qs_record *r;
    cr_assert_eq(qs_record_open(1, 4, &r, NULL), QS_OK);
    tell(r, 7, 1);
    cr_assert_eq(qs_record_count(r, 0), 0);
    qs_record_close(r);
}
