/* SPDX-License-Identifier: MIT */
/* torture.c - refuses the first, the second, … allocation of each operation and looks what is left.
 *
 *   torture [NAME]…
 *
 * Without names all cases. Of long operations a spread of allocations is refused; all of them with
 * QS_TORTURE=all. Prints TAP.
 */
#include "torture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "workshop.h"

enum { SPREAD = 60, MOST_SHOWN = 8 };

char torture_untouched;

/* Of the leak checker, where there is one: it sees what libraries hold, too. */
extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

typedef struct verdict {
    size_t calls; /* allocations of the undisturbed operation */
    uint64_t digest;
    int refusals, failures;
} verdict;

static void complain(verdict *v, size_t nth, const char *what, const char *why)
{
    if (v->failures++ < MOST_SHOWN)
        printf("# allocation %zu of %zu refused: %s%s\n", nth, v->calls, what, why);
}

/* One time, with the nth allocation refused (0: none); *calls is how many there were. */
static void once(const torture_case *c, size_t nth, verdict *v)
{
    const size_t live = qs_alloc_live();
    void *self = c->open(c->subject);
    qs_error err = {0};
    const size_t before = qs_alloc_calls();
    qs_alloc_refuse_nth(nth);
    const qs_status status = c->act(self, &err);
    qs_alloc_refuse_nth(0);
    const size_t calls = qs_alloc_calls() - before;

    if (nth == 0) {
        torture_need(status, &err);
        v->calls = calls;
        v->digest = c->digest(self);
    } else if (status == QS_OK && c->digest(self) != v->digest) {
        complain(v, nth, "success, but with another result", "");
    } else if (status != QS_OK) {
        const char *damage = c->damage ? c->damage(self) : NULL;
        if (status != QS_E_NOMEM || err.code != status || !*err.text)
            complain(v, nth, "", *err.text ? err.text : "a failure that says nothing");
        if (damage)
            complain(v, nth, "damage: ", damage);
    }
    c->close(self);
    if (qs_alloc_live() != live)
        complain(v, nth, "blocks that were not freed", "");
}

static size_t step_of(size_t calls)
{
    const char *const want = getenv("QS_TORTURE");
    return (want && strcmp(want, "all") == 0) || calls <= SPREAD ? 1 : calls / SPREAD;
}

static bool run_case(const torture_case *c, int number)
{
    verdict v = {0};
    once(c, 0, &v); /* what is made once and kept is made now */
    once(c, 0, &v);
    const size_t step = step_of(v.calls);
    for (size_t nth = 1; nth <= v.calls; nth += step, v.refusals++)
        once(c, nth, &v);
    if (step > 1 && v.refusals++ >= 0)
        once(c, v.calls, &v);
    if (__lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check())
        complain(&v, 0, "the leak checker found something", "");
    printf("%sok %d - %s %s: %d of %zu allocations refused\n", v.failures ? "not " : "", number,
           c->name, c->subject, v.refusals, v.calls);
    fflush(stdout);
    return v.failures == 0;
}

static bool wanted(const torture_case *c, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], c->name) == 0)
            return true;
    return argc < 2;
}

int main(int argc, char **argv)
{
    const torture_case *const lists[] = {torture_model_cases, torture_data_cases,
                                         torture_train_cases};
    int count = 0, number = 0, failed = 0;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        for (const torture_case *c = lists[k]; c->name; c++)
            count += wanted(c, argc, argv);
    printf("1..%d\n", count);
    workshop_open();
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        for (const torture_case *c = lists[k]; c->name; c++)
            if (wanted(c, argc, argv))
                failed += !run_case(c, ++number);
    workshop_close();
    return failed ? 1 : 0;
}
