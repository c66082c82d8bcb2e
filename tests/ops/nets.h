/* SPDX-License-Identifier: MIT */
/* nets.h - the small networks whose gradients are tried: every layer, activation and loss. */
#ifndef QS_TESTS_OPS_NETS_H
#define QS_TESTS_OPS_NETS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum net_labels {
    NET_VALUES,       /* floats around zero */
    NET_POSITIVE,     /* floats in (0.2, 0.9) */
    NET_BITS,         /* floats 0 or 1 */
    NET_CLASSES,      /* an integer a sample */
    NET_ONE_HOT,      /* a row of floats with a single 1 */
    NET_PROBABILITIES /* a row of floats that sums to 1 */
} net_labels;

typedef struct net_case {
    const char *name;
    const char *input;  /* axes of a sample, "6" or "3,4" */
    const char *layers; /* specs with '|' between them; '!' before one that is frozen */
    const char *loss;
    net_labels labels;
    bool weighted; /* samples have weights */
} net_case;

/* Case `index`, false past the end. Texts live until the next call. */
bool net_case_at(size_t index, net_case *out);

#endif
