/* SPDX-License-Identifier: MIT */
/* alloc_test.c - what is counted, what is refused, and what a refused library gets all the same. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/memory.h"

Test(alloc, counts_blocks_until_they_are_freed)
{
    const size_t live = qs_alloc_live();
    void *a = qs_malloc(10), *b = qs_calloc(3, 7), *c = qs_realloc(NULL, 5);
    char *text = qs_format("%d", 12);
    cr_assert_eq(qs_alloc_live(), live + 4);
    c = qs_realloc(c, 5000);
    cr_assert_eq(qs_alloc_live(), live + 4);
    qs_free(a), qs_free(b), qs_free(c), qs_free(text), qs_free(NULL);
    cr_assert_eq(qs_alloc_live(), live);
}

Test(alloc, refuses_the_nth_call_and_says_so)
{
    const size_t refusals = qs_alloc_refusals();
    qs_alloc_refuse_nth(2);
    void *a = qs_malloc(1), *b = qs_malloc(77), *c = qs_malloc(1);
    cr_assert(a && !b && c);
    cr_assert_eq(qs_alloc_refusals(), refusals + 1);
    cr_assert_eq(qs_alloc_refused_bytes(), 77);
    qs_free(a), qs_free(c);
}

Test(alloc, a_refused_realloc_leaves_the_block)
{
    char *text = qs_strdup("kept");
    qs_alloc_refuse_nth(1);
    cr_assert_null(qs_realloc(text, 100));
    cr_assert_str_eq(text, "kept");
    qs_free(text);
}

Test(alloc, refuses_more_than_the_machine_has)
{
    const size_t all = qs_memory_free();
    cr_assert_gt(all, (size_t)1 << 20);
    cr_assert_null(qs_calloc(all, 2));
    cr_assert_null(qs_malloc(SIZE_MAX / 2));
    cr_assert_null(qs_calloc(SIZE_MAX / 2, 4));
    qs_error err = {0};
    cr_assert_eq(qs_memory_check(2.0 * (double)all, "this", &err), QS_E_NOMEM);
    cr_assert(strstr(err.text, "this needs ") && strstr(err.text, " MB are free"), "%s", err.text);
    cr_assert_eq(qs_memory_check(1000, "this", &err), QS_OK);
}

Test(alloc, the_reserve_bears_refusals_until_it_is_empty)
{
    enum { BLOCKS = 10000, BYTES = 1000 };
    static unsigned char *block[BLOCKS];
    const size_t live = qs_alloc_live();
    size_t held = 0;
    for (int round = 0; round < 2; round++) { /* once given back it is whole again */
        size_t n = 0;
        for (; n < BLOCKS; n++) {
            qs_alloc_refuse_nth(1);
            block[n] = qs_malloc_reserved(BYTES);
            qs_alloc_refuse_nth(0);
            if (!block[n])
                break;
            memset(block[n], (int)n, BYTES);
        }
        cr_assert(n > 100 && n < BLOCKS);
        cr_assert(round == 0 || n == held);
        held = n;
        for (size_t i = 0; i < n; i++) {
            cr_assert_eq(block[i][0], (unsigned char)i);
            cr_assert_eq(block[i][BYTES - 1], (unsigned char)i);
            qs_free(block[i]);
        }
        cr_assert_eq(qs_alloc_live(), live);
    }
}

Test(alloc, the_verdict_on_what_was_refused_memory)
{
    qs_error err = {QS_E_FORMAT, "malformed"};
    const size_t before = qs_alloc_refusals();
    cr_assert_eq(qs_memory_verdict(before, QS_E_FORMAT, "it", &err), QS_E_FORMAT);
    cr_assert_str_eq(err.text, "malformed");
    qs_alloc_refuse_nth(1);
    cr_assert_null(qs_malloc(2000000));
    cr_assert_eq(qs_memory_verdict(before, QS_E_FORMAT, "it", &err), QS_E_NOMEM);
    cr_assert(strstr(err.text, "it needs 2.0 MB"), "%s", err.text);
    cr_assert_eq(qs_memory_verdict(before, QS_OK, "it", &err), QS_E_NOMEM);
}
