/* SPDX-License-Identifier: MIT */
/* ops_test.c - one tool for every kernel: check it, differentiate it, time it.
 *
 *   ops_test [check|grad|step|perf|support] [--list] [--test=NAME] [--seed=N]
 *
 * check runs each kernel of each rung on random data against the `ref` rung; grad holds gradients of
 * small networks against finite differences; step holds training steps of those networks against the
 * `ref` rung and one thread; perf checks, then times; support says what is there. check, grad and
 * step print TAP. NAME is a case, or the part before the dot for all of its kinds.
 */
#include "ops_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_option(const char *text, ops_options *o)
{
    if (strcmp(text, "--list") == 0)
        o->list = true;
    else if (strncmp(text, "--test=", 7) == 0)
        o->test = text + 7;
    else if (strncmp(text, "--seed=", 7) == 0)
        o->seed = strtoull(text + 7, NULL, 0);
    else
        return false;
    return true;
}

bool ops_wanted(const ops_options *o, const char *name)
{
    const size_t n = o->test ? strlen(o->test) : 0;
    return !o->test || (strncmp(name, o->test, n) == 0 && (name[n] == 0 || name[n] == '.'));
}

void ops_result(ops_options *o, bool good, const char *mode, const char *name, const char *rung,
                const char *why)
{
    printf("%sok %d - %s %s %s\n", good ? "" : "not ", ++o->count, mode, name, rung);
    if (!good)
        printf("# %s\n", why);
    o->failed += !good;
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(ops_options *o);
    } modes[] = {{"check", ops_check},
                 {"grad", ops_grad},
                 {"step", ops_step},
                 {"perf", ops_perf},
                 {"support", ops_support}};
    enum { MODES = sizeof modes / sizeof *modes };
    ops_options o = {.seed = 1};
    int mode = 0;
    for (int i = 1; i < argc; i++) {
        int m = 0;
        while (m < MODES && strcmp(argv[i], modes[m].name) != 0)
            m++;
        if (m < MODES)
            mode = m;
        else if (!read_option(argv[i], &o)) {
            fprintf(stderr, "usage: ops_test [check|grad|step|perf|support] [--list] [--test=NAME] "
                            "[--seed=N]\n");
            return 2;
        }
    }
    return modes[mode].run(&o);
}
