/* SPDX-License-Identifier: MIT */
/* kernels.c - which rung this processor runs. */
#include "kernels/kernels.h"

#include <stdlib.h>
#include <string.h>

#define QS_RUNG_LINE(name, usable) extern const qs_kernel_tables qs_kernels_##name;
#include "kernels/rungs.def"
#undef QS_RUNG_LINE

enum {
#define QS_RUNG_LINE(name, usable) RUNG_##name,
#include "kernels/rungs.def"
#undef QS_RUNG_LINE
    RUNGS
};

const qs_kernel_tables *const *qs_kernels_usable(void)
{
    static const qs_kernel_tables *const all[] = {
#define QS_RUNG_LINE(name, usable) &qs_kernels_##name,
#include "kernels/rungs.def"
#undef QS_RUNG_LINE
        NULL};
    int first = 0; /* a processor that has a rung has all below it */
#define QS_RUNG_LINE(name, usable)                                                                 \
    if (first == RUNG_##name && !(usable))                                                         \
        first++;
#include "kernels/rungs.def"
#undef QS_RUNG_LINE
    return all + first;
}

const qs_kernel_tables *qs_kernels_best(void)
{
    const qs_kernel_tables *const *usable = qs_kernels_usable();
    const char *forced = getenv("QUICKSTEP_IMPL");
    for (const qs_kernel_tables *const *t = usable; forced && *t; t++)
        if (!strcmp((*t)->name, forced))
            return *t;
    return usable[0];
}
