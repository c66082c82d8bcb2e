/* SPDX-License-Identifier: MIT */
/* specs.h - what the tests of nn share: specs from their command-line form. */
#ifndef QS_TESTS_SPECS_H
#define QS_TESTS_SPECS_H

#include <criterion/criterion.h>

#include "nn/spec.h"

/* Lives until the test's process ends. */
static inline const qs_spec *spec_of(const qs_registry *in, const char *text)
{
    static qs_arena arena;
    const qs_spec *spec = NULL;
    qs_error err = {0};
    cr_assert_eq(qs_spec_parse(&arena, in, text, &spec, &err), QS_OK, "%s: %s", text, err.text);
    return spec;
}

#endif
