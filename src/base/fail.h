/* SPDX-License-Identifier: MIT */
/* fail.h - how code inside the library reports errors. Private. */
#ifndef QS_BASE_FAIL_H
#define QS_BASE_FAIL_H

#include "quickstep/status.h"

/* Record a new failure and return its code: return qs_fail(err, QS_E_SHAPE, "rank %d > 4", r); */
qs_status qs_fail(qs_error *err, qs_status code, const char *fmt, ...) QS_PRINTF(3, 4);

/* Put "fmt: " before what a callee recorded, and pass its code on. A no-op on QS_OK. */
qs_status qs_context(qs_error *err, qs_status code, const char *fmt, ...) QS_PRINTF(3, 4);

/* The usual words for a refused allocation. */
qs_status qs_fail_memory(qs_error *err, double bytes, const char *what);

/* Leave the function if expr failed. Only where there is nothing to clean up. */
#define QS_TRY(expr)                                                                               \
    do {                                                                                           \
        const qs_status qs_try_ = (expr);                                                          \
        if (qs_try_ != QS_OK)                                                                      \
            return qs_try_;                                                                        \
    } while (0)

#endif
