/* SPDX-License-Identifier: MIT */
/* clock.h - wall-clock time since the process began. */
#ifndef QS_CLI_CLOCK_H
#define QS_CLI_CLOCK_H

/* Call first: later readings count from the start of the process, not from here. */
void clock_mark_start(void);

/* Seconds since the process was started. */
double clock_elapsed(void);

/* Seconds from an arbitrary point, for differences. */
double clock_now(void);

#endif
