/* SPDX-License-Identifier: MIT */
/* interrupt.h - Ctrl-C: the first stops a run after its step, the second the program. */
#ifndef QS_CLI_INTERRUPT_H
#define QS_CLI_INTERRUPT_H

#include "quickstep/train.h"

/* From now on SIGINT and SIGTERM end the program with 130, or stop the watched run if there is one;
 * a file that may not grow is an error of write(), not the end of the program. */
void interrupt_begin(void);
void interrupt_watch(qs_run *run, int quiet);
/* Before the run is closed; signals end the program again. */
void interrupt_forget(void);

#endif
