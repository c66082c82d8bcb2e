/* SPDX-License-Identifier: MIT */
/* number_test.c - numbers in text, names that are near. */
#include "base/number.h"

#include <criterion/criterion.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "quickstep/status.h"

static double parse(const char *text)
{
    double x = -77;
    cr_assert(qs_number_parse(text, strlen(text), &x), "'%s' was refused", text);
    return x;
}

Test(number, reads_what_strtod_reads)
{
    static const char *const good[] = {"0",
                                       "-0",
                                       "1",
                                       "255",
                                       "3.25",
                                       ".5",
                                       "5.",
                                       "1e3",
                                       "-1E-3",
                                       "+7",
                                       "1e-400",
                                       "0.1",
                                       "123456789012345",
                                       "12345678901234567890",
                                       "1.7976931348623157e308",
                                       "4.9e-324"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        cr_assert_eq(parse(good[i]), strtod(good[i], NULL), "%s", good[i]);
    cr_assert(signbit(parse("-0")));
    cr_assert(isnan(parse("nan")));
    cr_assert_eq(parse("-Infinity"), -INFINITY);
}

Test(number, refuses_the_rest)
{
    static const char *const bad[] = {"",  "1x", "1e999", " 1", "1 ",  "0x10", "nan(1)",
                                      "-", ".",  "--1",   "1e", "1,5", "e5",   "in"};
    double x = 5;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert_not(qs_number_parse(bad[i], strlen(bad[i]), &x), "'%s' was read", bad[i]);
    cr_assert_not(qs_number_parse("1\0", 2, &x));
    cr_assert_eq(x, 5);
}

Test(number, integers_stop_at_the_ends)
{
    int64_t i;
    cr_assert(qs_integer_parse("-9223372036854775808", 20, &i));
    cr_assert_eq(i, INT64_MIN);
    cr_assert(qs_integer_parse("9223372036854775807", 19, &i));
    cr_assert_eq(i, INT64_MAX);
    cr_assert_not(qs_integer_parse("9223372036854775808", 19, &i));
    cr_assert_not(qs_integer_parse("-9223372036854775809", 20, &i));
    cr_assert_not(qs_integer_parse("", 0, &i));
    cr_assert_not(qs_integer_parse("-", 1, &i));
    cr_assert_not(qs_integer_parse("1.0", 3, &i));
}

Test(number, text_reads_back_as_the_same_double)
{
    char text[QS_NUMBER_TEXT];
    cr_assert_str_eq(qs_number_text(0.1, text), "0.1");
    cr_assert_str_eq(qs_number_text(1e-7, text), "1e-07");
    cr_assert_str_eq(qs_number_text(128, text), "128");
    cr_assert_str_eq(qs_number_text(-INFINITY, text), "-inf");
    for (uint64_t i = 0; i < 20000; i++) {
        const uint64_t bits = qs_random(11, i);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (!isnan(x))
            cr_assert_eq(parse(qs_number_text(x, text)), x, "%s", text);
    }
}

Test(near, names_that_were_meant)
{
    static const char *const names[] = {"relu", "elu", "selu", "sigmoid", "softmax", NULL};
    char text[128];
    cr_assert_str_eq(qs_nearest("rleu", names, text, sizeof text),
                     " (did you mean 'relu', 'elu' or 'selu'?)");
    cr_assert_str_eq(qs_nearest("Soft-Max", names, text, sizeof text),
                     " (did you mean 'softmax'?)");
    cr_assert_str_eq(qs_nearest("qqqqqqqqqq", names, text, sizeof text),
                     " (nearest: 'relu', 'elu', 'selu')");
    cr_assert_str_eq(qs_nearest("relu", names + 5, text, sizeof text), "");
    char little[12];
    cr_assert_lt(strlen(qs_nearest("rleu", names, little, sizeof little)), sizeof little);
}
