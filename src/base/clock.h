/* SPDX-License-Identifier: MIT */
/* clock.h - time that only goes forward. Private. */
#ifndef QS_BASE_CLOCK_H
#define QS_BASE_CLOCK_H

double qs_now(void); /* seconds since some fixed moment */
void qs_clock_sleep(double seconds);

#endif
