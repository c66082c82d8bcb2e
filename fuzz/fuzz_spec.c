/* SPDX-License-Identifier: MIT */
/* fuzz_spec.c - a name with arguments, in any spelling: read, write, read again gives the same.
 *
 * The first byte picks the registry; the rest is the command line's form, or JSON when it starts with
 * a brace or a quote.
 */
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "nn/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char *const registries[] = {"layers",       "losses",       "metrics",
                                         "optimizers",   "schedules",    "activations",
                                         "initializers", "regularizers", "constraints"};

static const qs_spec *read(qs_arena *arena, const qs_registry *in, const char *text)
{
    const qs_spec *spec = NULL;
    qs_error err;
    if (text[0] != '{' && text[0] != '"')
        return qs_spec_parse(arena, in, text, &spec, &err) == QS_OK ? spec : NULL;
    json_t *json = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
    const qs_status status = json ? qs_spec_read(arena, in, json, &spec, &err) : QS_E_FORMAT;
    json_decref(json);
    return status == QS_OK ? spec : NULL;
}

/* Keras' form of a spec holds everything, so that it must read back. */
static void round_trip(qs_arena *arena, const qs_registry *in, const qs_spec *spec)
{
    const qs_spec *again = NULL;
    qs_error err;
    json_t *keras = qs_spec_keras(in, spec);
    if (keras && (qs_spec_read(arena, in, keras, &again, &err) != QS_OK || !again ||
                  again->kind != spec->kind))
        abort();
    json_decref(keras);
    qs_free(qs_spec_text(spec));
    json_decref(qs_spec_recipe(spec));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 1 || size > 4096)
        return 0;
    const size_t pick = bytes[0] % (sizeof registries / sizeof *registries);
    const qs_registry *in = qs_registry_find(registries[pick]);
    char *text = malloc(size);
    qs_arena arena = {0};
    if (!in || !text)
        abort();
    memcpy(text, bytes + 1, size - 1);
    text[size - 1] = '\0';
    const qs_spec *spec = read(&arena, in, text);
    if (spec)
        round_trip(&arena, in, spec);
    qs_arena_free(&arena);
    free(text);
    return 0;
}
