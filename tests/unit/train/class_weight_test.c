/* SPDX-License-Identifier: MIT */
/* class_weight_test.c - "0=1.0,1=2.5" and what is wrong with others. */
#include "train/class_weight.h"

#include <criterion/criterion.h>
#include <string.h>

static qs_status refusal(const char *text, qs_error *err)
{
    float weight[3];
    return qs_class_weight_parse(text, weight, 3, err);
}

Test(class_weight, unnamed_classes_weigh_one)
{
    float weight[3];
    cr_assert_eq(qs_class_weight_parse("0=0.5,2=2.5", weight, 3, NULL), QS_OK);
    cr_assert_eq(weight[0], 0.5f);
    cr_assert_eq(weight[1], 1.0f);
    cr_assert_eq(weight[2], 2.5f);
}

Test(class_weight, bad_texts_are_refused)
{
    qs_error err;
    cr_assert_eq(refusal("0", &err), QS_E_ARG);
    cr_assert_eq(refusal("a=1", &err), QS_E_ARG);
    cr_assert_eq(refusal("0=x", &err), QS_E_ARG);
    cr_assert_eq(refusal("0=-1", &err), QS_E_ARG);
    cr_assert_eq(refusal("0=inf", &err), QS_E_ARG);
    cr_assert_eq(refusal("-1=1", &err), QS_E_ARG);
    cr_assert_eq(refusal("3=1", &err), QS_E_ARG);
    cr_assert_not_null(strstr(err.text, "0 to 2"), "%s", err.text);
}
