/* SPDX-License-Identifier: MIT */
/* constraint.h - what can be asked of weights after an update, by number. Private. */
#ifndef QS_KERNELS_CONSTRAINT_H
#define QS_KERNELS_CONSTRAINT_H

enum {
    QS_CONSTRAINT_NONE,
    QS_CONSTRAINT_MAX_NORM,
    QS_CONSTRAINT_NON_NEG,
    QS_CONSTRAINT_UNIT_NORM,
    QS_CONSTRAINT_MIN_MAX_NORM
};

#endif
