/* SPDX-License-Identifier: MIT */
/* inject.h - known delays that tests of the diagnosis ask for: $QUICKSTEP_INJECT. Private. */
#ifndef QS_BASE_INJECT_H
#define QS_BASE_INJECT_H

/* The number after "key=" in "launch_us=5,load_ms=2"; 0 where it is not there or no number > 0. */
double qs_inject(const char *key);

#endif
