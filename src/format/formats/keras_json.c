/* SPDX-License-Identifier: MIT */
/* keras_json.c - what model.to_json() writes: layers without weights. */
#include <string.h>

#include "format/format.h"
#include "format/keras_config.h"

static qs_status read(const unsigned char *bytes, size_t n, qs_model **out, qs_error *err)
{
    json_t *json;
    QS_TRY(qs_json_parse((const char *)bytes, n, &json, err));
    const qs_status status = qs_keras_model(json, out, err);
    json_decref(json);
    return status;
}

static qs_status write(const qs_model *model, unsigned char **bytes, size_t *n, qs_error *err)
{
    char *text = qs_keras_text(model);
    if (!text)
        return qs_fail_memory(err, 4096, "JSON text");
    *bytes = (unsigned char *)text;
    *n = strlen(text);
    return QS_OK;
}

const qs_file_format qs_file_format_keras_json = {
    .name = "json",
    .ending = ".json",
    .help = "Keras' model.to_json(): layers and what they were compiled with",
    .architecture = true,
    .read = read,
    .write = write,
};
