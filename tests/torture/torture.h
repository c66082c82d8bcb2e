/* SPDX-License-Identifier: MIT */
/* torture.h - one operation, done again and again with another allocation refused each time. */
#ifndef QS_TESTS_TORTURE_TORTURE_H
#define QS_TESTS_TORTURE_TORTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nn/model.h"
#include "quickstep/quickstep.h"

enum { TORTURE_TEXT = 600, TORTURE_PATH = 400 };

/* What an operation must leave alone unless it succeeds points here before it. */
#define TORTURE_UNTOUCHED ((void *)&torture_untouched)
extern char torture_untouched;

/* One operation on a subject: a file, a spec, a way to train. Memory is refused in act() alone. */
typedef struct torture_case {
    const char *name;
    const char *subject;
    void *(*open)(const char *subject);
    qs_status (*act)(void *self, qs_error *err);
    /* Of what came out; two successes must have the same. Not called after a failure. */
    uint64_t (*digest)(void *self);
    /* After a failure: NULL, or what is not as it was before. */
    const char *(*damage)(void *self);
    void (*close)(void *self);
} torture_case;

/* The cases of each file; each list ends with a case without a name. */
extern const torture_case torture_model_cases[], torture_data_cases[], torture_train_cases[];

/* End the program where something that is no part of the torture fails. */
void torture_need(qs_status status, const qs_error *err);

/* "FOLDER/name" in the folder of this process; text is [TORTURE_PATH]. */
const char *torture_path(const char *name, char *text);
void torture_write(const char *name, const void *bytes, size_t n);
size_t torture_files(const char *folder); /* how many names a folder has */
void torture_remove(const char *path);    /* with all that is in it */

/* Mixing of whatever is handed in. */
uint64_t torture_mix(uint64_t digest, const void *bytes, size_t n);
uint64_t torture_mix_text(uint64_t digest, const char *text);
uint64_t torture_mix_file(uint64_t digest, const char *path);
uint64_t torture_mix_model(uint64_t digest, const qs_model *model);

#endif
