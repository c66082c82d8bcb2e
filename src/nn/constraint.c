/* SPDX-License-Identifier: MIT */
/* constraint.c - what weights are held to after every update; the kernels do it. */
#include "nn/attr.h"
#include "nn/init.h"

#define AXIS                                                                                       \
    {                                                                                              \
        "axis", QS_ATTR_NUMBERS, "0", 0, 0, "integer|bare", "axes that a norm is taken over"       \
    }

static const qs_attr max_norm_attrs[] = {
    QS_NUMBER_ATTR("max_value", "2", 0, 1e30, "largest norm"),
    AXIS,
    QS_ATTRS_END,
};
static const qs_attr unit_norm_attrs[] = {AXIS, QS_ATTRS_END};
static const qs_attr min_max_norm_attrs[] = {
    QS_NUMBER_ATTR("min_value", "0", 0, 1e30, "smallest norm"),
    QS_NUMBER_ATTR("max_value", "1", 0, 1e30, "largest norm"),
    QS_NUMBER_ATTR("rate", "1", 0, 1, "how far to go there in one step"),
    AXIS,
    QS_ATTRS_END,
};

static const qs_kind max_norm = {"max_norm",     "MaxNorm",   NULL,
                                 max_norm_attrs, "norms cut", "max_value"};
static const qs_kind non_neg = {"non_neg", "NonNeg", NULL, NULL, "negative weights become 0", NULL};
static const qs_kind unit_norm = {"unit_norm",     "UnitNorm",       NULL,
                                  unit_norm_attrs, "norms become 1", NULL};
static const qs_kind min_max_norm = {
    "min_max_norm", "MinMaxNorm", NULL, min_max_norm_attrs, "norms kept between two bounds", NULL};

static const qs_kind *const kinds[] = {&max_norm, &non_neg, &unit_norm, &min_max_norm, NULL};

const qs_registry qs_constraint_registry = {"constraints", "constraint", "keras.constraints",
                                            kinds};
