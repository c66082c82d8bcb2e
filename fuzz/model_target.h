/* SPDX-License-Identifier: MIT */
/* model_target.h - what the targets of model formats do with their bytes. */
#ifndef QS_FUZZ_MODEL_TARGET_H
#define QS_FUZZ_MODEL_TARGET_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "format/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A model that was read can be written, and says what it is. */
static inline void use_model(qs_model *model, const qs_file_format *format)
{
    unsigned char *out;
    size_t n;
    for (size_t i = 0; i < qs_model_layers(model); i++) {
        qs_layer_info info;
        if (qs_model_layer(model, i, &info, NULL) != QS_OK)
            abort();
    }
    const bool small = qs_model_params(model) < 1 << 16;
    if (small && (!format->weights || qs_model_init(model, 1, NULL) == QS_OK) &&
        format->write(model, &out, &n, NULL) == QS_OK)
        qs_free(out);
}

/* Read a whole model; whatever the bytes, it answers. */
static inline void read_model(const char *ending, const uint8_t *bytes, size_t size)
{
    const qs_file_format *format = qs_file_format_of(ending);
    qs_model *model = NULL;
    qs_error err;
    if (format->read(bytes, size, &model, &err) != QS_OK)
        return;
    use_model(model, format);
    qs_model_close(model);
}

static inline void list_weights(const qs_file_format *format, const uint8_t *bytes, size_t size)
{
    qs_weight_file file = {0};
    if (format->list && format->list(bytes, size, &file, NULL) == QS_OK)
        for (size_t i = 0; i < file.count; i++)
            if (!file.weight[i].name || file.weight[i].rank > QS_MAX_RANK)
                abort();
    qs_free(file.weight);
    qs_arena_free(&file.arena);
}

/* Read weights into a small model; where that fails, no weight may have changed. */
static inline void read_weights(const char *ending, const uint8_t *bytes, size_t size)
{
    static const char recipe[] = "model:\n  - input: [3]\n  - dense: 2\n  - batch_normalization\n";
    qs_model *model = NULL;
    qs_error err;
    if (qs_model_parse(recipe, strlen(recipe), &model, &err) != QS_OK)
        abort();
    const bool read = qs_file_format_of(ending)->read_weights(bytes, size, model, &err) == QS_OK;
    for (size_t i = 0; i < qs_model_weights(model); i++) {
        qs_weight_info info;
        if (qs_model_weight(model, i, &info, NULL) != QS_OK || (info.data != NULL) != read)
            abort();
    }
    qs_model_close(model);
    list_weights(qs_file_format_of(ending), bytes, size);
}

#endif
