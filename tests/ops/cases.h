/* SPDX-License-Identifier: MIT */
/* cases.h - every kernel and how a rig for it is filled. */
#ifndef QS_TESTS_OPS_CASES_H
#define QS_TESTS_OPS_CASES_H

#include "rig.h"

typedef struct op_case {
    const char *name; /* "dense", "activation.relu" */
    qs_op op;
    int kind;
    rig_setup setup;
} op_case;

extern const op_case op_cases[];
extern const size_t op_case_count;

const char *op_name(qs_op op);

#define SETUP(name)       void setup_##name(rig *r)
#define QS_OP(name, axis) SETUP(name);
#include "kernels/ops.def"
#undef QS_OP

#endif
