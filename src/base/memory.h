/* SPDX-License-Identifier: MIT */
/* memory.h - how much memory this process may still take. Private. */
#ifndef QS_BASE_MEMORY_H
#define QS_BASE_MEMORY_H

#include <stddef.h>

#include "base/fail.h"

/* Bytes that can be had before the system kills somebody: what is free or can be freed, swap, and what
 * the control groups grant. SIZE_MAX where the system does not say. */
size_t qs_memory_free(void);

/* Whether so many bytes can be had, before they are taken piece by piece. Errors: QS_E_NOMEM. */
qs_status qs_memory_check(double bytes, const char *what, qs_error *err);

/* The verdict on an operation that began when qs_alloc_refusals() was `refusals`: where memory was
 * refused since, that is what failed, whatever a library or a long chain of calls makes of it. */
qs_status qs_memory_verdict(size_t refusals, qs_status status, const char *what, qs_error *err);

#endif
