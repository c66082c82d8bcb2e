/* SPDX-License-Identifier: MIT */
/* crash.c - a crash becomes a failed test, and the next one runs. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "ops_test.h"

static sigjmp_buf back;
static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};

static void jump(int number)
{
    siglongjmp(back, number);
}

bool ops_crashes(void (*run)(void *self), void *self, char *text, unsigned long bytes)
{
    struct sigaction act = {.sa_handler = jump}, old[4];
    for (int i = 0; i < 4; i++)
        sigaction(signals[i], &act, &old[i]);
    const int number = sigsetjmp(back, 1);
    if (number == 0)
        run(self);
    for (int i = 0; i < 4; i++)
        sigaction(signals[i], &old[i], NULL);
    if (number)
        snprintf(text, bytes, "ended by signal %d (%s)", number, strsignal(number));
    return number != 0;
}
