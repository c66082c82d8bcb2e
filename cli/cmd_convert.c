/* SPDX-License-Identifier: MIT */
/* cmd_convert.c - a model from one file format to another. */
#include <stdio.h>

#include "command.h"
#include "quickstep/model.h"
#include "report.h"
#include "text.h"

typedef struct options {
    const char *weights;
    int lossy;
} options;

_Static_assert(sizeof(options) <= OPTIONS_BYTES, "raise OPTIONS_BYTES");

#define AT(field) offsetof(options, field)
static const option table[] = {
    {"weights", OPT_TEXT, AT(weights), "FILE",
     "Load these weights first: .weights.h5, .h5, .keras, .npz or .safetensors", .choices = "/"},
    {"lossy", OPT_FLAG, AT(lossy), .help = "Allow a format that cannot hold everything"},
    {0},
};
#undef AT

static qs_status convert(const options *o, qs_model *model, const char *to, qs_error *err)
{
    if (o->weights) {
        const qs_status s = qs_model_load_weights(model, o->weights, err);
        if (s != QS_OK)
            return s;
    }
    return qs_model_save(model, to, o->lossy, err);
}

static qs_status run(const invocation *in, json_t *result, qs_error *err)
{
    const char *from = in->operand[0], *to = in->operand[1];
    qs_model *model;
    qs_status s = qs_model_open(from, &model, err);
    if (s != QS_OK)
        return s;
    s = convert(in->options, model, to, err);
    if (s == QS_OK) {
        json_object_set_new(result, "in", json_text(from));
        json_object_set_new(result, "out", json_text(to));
        json_object_set_new(result, "format", json_text(qs_model_format(model)));
        json_object_set_new(result, "params", json_count(qs_model_params(model)));
    }
    if (s == QS_OK && !in->json && !in->quiet) {
        char params[TEXT_BYTES];
        fprintf(stderr, "saved %s (%s, %s parameters)\n", to, qs_model_name(model),
                text_count(qs_model_params(model), params));
    }
    qs_model_close(model);
    return s;
}

const command command_convert = {
    .name = "convert",
    .operands = "IN OUT",
    .summary = "Convert a model or its weights to another format",
    .details = "Formats go by the file's ending: .keras, .h5, .weights.h5, .npz, .safetensors, "
               ".json, .yaml. A format that would lose weights that are there is refused unless "
               "--lossy is given.",
    .examples = "quickstep convert model.keras model.safetensors\n"
                "quickstep convert --weights trained.npz model.json model.keras",
    .min_operands = 2,
    .max_operands = 2,
    .options = table,
    .run = run,
};
