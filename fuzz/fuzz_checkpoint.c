/* SPDX-License-Identifier: MIT */
/* fuzz_checkpoint.c - a run's checkpoint; after a first byte 'j' its JSON state alone, which the
 * checksum would keep the fuzzer from. */
#include <stdint.h>

#include "base/alloc.h"
#include "train/checkpoint.h"
#include "train/state_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char recipe[] =
    "model:\n  - input: [4]\n  - dense: {units: 3}\n  - dense: {units: 2}\n";

static void read_json(const uint8_t *bytes, size_t size, json_t *settings)
{
    char *text = qs_strndup((const char *)bytes, size);
    qs_run_state state = {0};
    qs_optim_state optim = {0};
    if (text)
        qs_state_json_read(text, settings, &state, &optim, NULL);
    qs_free(text);
}

static void read_checkpoint(const uint8_t *bytes, size_t size, json_t *settings)
{
    const qs_scores names = {.metrics = 1, .name = {"accuracy"}};
    const qs_checkpoint_like like = {settings, &names, true};
    qs_run_state state = {0};
    qs_model *model = NULL;
    if (qs_model_parse(recipe, sizeof recipe - 1, &model, NULL) == QS_OK &&
        qs_model_init(model, 1, NULL) == QS_OK)
        qs_checkpoint_decode(bytes, size, &like, model, &state, NULL);
    qs_run_state_free(&state);
    qs_model_close(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    json_t *settings = json_object();
    if (size && bytes[0] == 'j')
        read_json(bytes + 1, size - 1, settings);
    else
        read_checkpoint(bytes, size, settings);
    json_decref(settings);
    return 0;
}
