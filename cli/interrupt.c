/* SPDX-License-Identifier: MIT */
/* interrupt.c - Ctrl-C: the first stops a run after its step, the second the program. */
#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static _Atomic(qs_run *) watched;
static atomic_int asked, silent;

static void say(const char *text)
{
    const ssize_t n = write(STDERR_FILENO, text, strlen(text));
    (void)n; /* nobody is left to tell */
}

static void on_signal(int number)
{
    (void)number;
    qs_run *run = atomic_load(&watched);
    if (!run || atomic_fetch_add(&asked, 1))
        _exit(qs_status_exit(QS_E_STOPPED));
    qs_run_stop(run);
    if (!atomic_load(&silent))
        say("\nquickstep: stopping after this step; once more to quit without saving\n");
}

void interrupt_begin(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction hangup;
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* not under nohup */
        sigaction(SIGHUP, &action, NULL);
    signal(SIGXFSZ, SIG_IGN);
}

void interrupt_watch(qs_run *run, int quiet)
{
    atomic_store(&silent, quiet);
    atomic_store(&asked, 0);
    atomic_store(&watched, run);
}

void interrupt_forget(void)
{
    atomic_store(&watched, NULL);
}
