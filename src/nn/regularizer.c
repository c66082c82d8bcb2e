/* SPDX-License-Identifier: MIT */
/* regularizer.c - penalties on weights and outputs: l1 * sum |w| + l2 * sum w^2. */
#include <string.h>

#include "nn/attr.h"
#include "nn/init.h"

#define L1(preset) QS_NUMBER_ATTR("l1", preset, 0, 1e30, "factor of the sum of absolute values")
#define L2(preset) QS_NUMBER_ATTR("l2", preset, 0, 1e30, "factor of the sum of squares")

static const qs_attr l1_attrs[] = {L1("0.01"), QS_ATTRS_END};
static const qs_attr l2_attrs[] = {L2("0.01"), QS_ATTRS_END};
static const qs_attr l1_l2_attrs[] = {L1("0"), L2("0"), QS_ATTRS_END};

static const qs_kind l1 = {"l1", "L1", NULL, l1_attrs, "sum of absolute values", "l1"};
static const qs_kind l2 = {"l2", "L2", NULL, l2_attrs, "sum of squares", "l2"};
static const qs_kind l1_l2 = {"l1_l2", "L1L2", "l1l2", l1_l2_attrs, "both", NULL};

static const qs_kind *const kinds[] = {&l1, &l2, &l1_l2, NULL};

const qs_registry qs_regularizer_registry = {"regularizers", "regularizer", "keras.regularizers",
                                             kinds};

void qs_regularizer_factors(const qs_spec *spec, double *l1_factor, double *l2_factor)
{
    *l1_factor = *l2_factor = 0;
    for (int i = 0; spec && spec->kind->attrs[i].name; i++)
        *(strcmp(spec->kind->attrs[i].name, "l1") ? l2_factor : l1_factor) = spec->value[i].number;
}
