/* SPDX-License-Identifier: MIT */
/* safetensors.c - weights by name: a length, a JSON header, the numbers one after another. */
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "format/format.h"
#include "format/keras_config.h"
#include "format/staged.h"

enum { PREFIX = 8, ALIGN = 8, MOST_HEADER = 100 << 20 };

/* One entry of the header, checked against the bytes there are. */
typedef struct tensor {
    qs_array array;
    size_t begin, end; /* in the data */
} tensor;

static const struct {
    const char *name;
    qs_dtype dtype;
} types[] = {
    {"F32", QS_F32}, {"F64", QS_F64}, {"U8", QS_U8},   {"I8", QS_I8},   {"I16", QS_I16},
    {"U16", QS_U16}, {"I32", QS_I32}, {"U32", QS_U32}, {"I64", QS_I64},
};

static qs_status read_type(const json_t *entry, qs_array *out, qs_error *err)
{
    const char *name = json_string_value(json_object_get(entry, "dtype"));
    for (size_t i = 0; name && i < sizeof types / sizeof *types; i++)
        if (!strcmp(types[i].name, name)) {
            out->dtype = types[i].dtype;
            return QS_OK;
        }
    return qs_fail(err, name ? QS_E_UNSUPPORTED : QS_E_FORMAT,
                   "numbers of type %.20s cannot be read", name ? name : "(none)");
}

static qs_status read_shape(const json_t *entry, qs_array *out, qs_error *err)
{
    const json_t *shape = json_object_get(entry, "shape");
    const size_t rank = json_array_size(shape);
    if (!json_is_array(shape) || rank > QS_MAX_RANK)
        return qs_fail(err, QS_E_FORMAT, "the shape must be a list of at most %d axes",
                       QS_MAX_RANK);
    out->rank = (int)rank;
    for (size_t i = 0; i < rank; i++) {
        const json_t *axis = json_array_get(shape, i);
        if (!json_is_integer(axis) || json_integer_value(axis) < 0)
            return qs_fail(err, QS_E_FORMAT, "axis %zu of the shape is no whole number", i);
        out->dim[i] = (size_t)json_integer_value(axis);
    }
    return QS_OK;
}

static qs_status read_offsets(const json_t *entry, size_t bytes, tensor *out, qs_error *err)
{
    const json_t *offsets = json_object_get(entry, "data_offsets");
    const json_t *begin = json_array_get(offsets, 0), *end = json_array_get(offsets, 1);
    if (json_array_size(offsets) != 2 || !json_is_integer(begin) || !json_is_integer(end) ||
        json_integer_value(begin) < 0 || json_integer_value(end) < json_integer_value(begin) ||
        (uint64_t)json_integer_value(end) > bytes)
        return qs_fail(err, QS_E_FORMAT, "data_offsets are not within the %zu bytes of data",
                       bytes);
    out->begin = (size_t)json_integer_value(begin);
    out->end = (size_t)json_integer_value(end);
    return QS_OK;
}

static qs_status read_tensor(const json_t *entry, const unsigned char *data, size_t bytes,
                             tensor *out, qs_error *err)
{
    if (!json_is_object(entry))
        return qs_fail(err, QS_E_FORMAT, "an entry must be an object");
    *out = (tensor){0};
    QS_TRY(read_type(entry, &out->array, err));
    QS_TRY(read_shape(entry, &out->array, err));
    QS_TRY(read_offsets(entry, bytes, out, err));
    qs_shape shape = {.rank = out->array.rank};
    memcpy(shape.dim, out->array.dim, sizeof shape.dim);
    const size_t count = qs_shape_count(&shape), size = qs_dtype_bytes(out->array.dtype);
    if (count > bytes / size || count * size != out->end - out->begin)
        return qs_fail(err, QS_E_FORMAT,
                       "the shape needs %zu numbers of %zu bytes, data_offsets hold %zu bytes",
                       count, size, out->end - out->begin);
    out->array.data = data + out->begin;
    return QS_OK;
}

static qs_status parse_header(const unsigned char *bytes, size_t n, json_t **out, size_t *start,
                              qs_error *err)
{
    uint64_t length = 0;
    for (int i = 0; i < PREFIX && n >= PREFIX; i++)
        length |= (uint64_t)bytes[i] << (8 * i);
    if (n < PREFIX || length > n - PREFIX || length > MOST_HEADER || length < 2 ||
        bytes[PREFIX] != '{')
        return qs_fail(err, QS_E_FORMAT,
                       "not a safetensors file: its header does not fit its %zu bytes", n);
    QS_TRY(qs_context(err, qs_json_parse((const char *)bytes + PREFIX, (size_t)length, out, err),
                      "header"));
    *start = PREFIX + (size_t)length;
    return QS_OK;
}

static int find_weight(const qs_model *model, const char *name)
{
    for (int i = 0; i < model->weights; i++)
        if (!strcmp(model->weight[i].name, name))
            return i;
    return -1;
}

static qs_status take(const qs_model *model, const char *name, const tensor *from,
                      qs_staged *staged, qs_error *err)
{
    const int index = find_weight(model, name);
    if (index < 0)
        return qs_fail(err, QS_E_SHAPE, "the model has no weight of this name; its first is '%s'",
                       model->weights ? model->weight[0].name : "none");
    qs_shape shape = {.rank = from->array.rank};
    memcpy(shape.dim, from->array.dim, sizeof shape.dim);
    char have[QS_SHAPE_TEXT], want[QS_SHAPE_TEXT];
    if (!qs_shape_same(&shape, &model->weight[index].shape))
        return qs_fail(err, QS_E_SHAPE, "is %s in the file, the model needs %s",
                       qs_shape_text(&shape, have),
                       qs_shape_text(&model->weight[index].shape, want));
    float *out = qs_staged_weight(staged, model, index);
    if (!out)
        return qs_fail_memory(err, 4.0 * (double)qs_shape_count(&shape), "a weight");
    qs_floats_of(&from->array, false, out);
    return QS_OK;
}

static qs_status read_entries(const json_t *header, const unsigned char *data, size_t bytes,
                              const qs_model *model, qs_staged *staged, qs_error *err)
{
    const char *name;
    json_t *entry;
    size_t held = 0;
    json_object_foreach ((json_t *)header, name, entry) {
        tensor one = {0};
        if (!strcmp(name, "__metadata__"))
            continue;
        qs_status status = read_tensor(entry, data, bytes, &one, err);
        if (status == QS_OK)
            status = take(model, name, &one, staged, err);
        if (status != QS_OK)
            return qs_context(err, status, "tensor '%.80s'", name);
        held += one.end - one.begin;
    }
    if (held != bytes)
        return qs_fail(err, QS_E_FORMAT, "tensors hold %zu of the %zu bytes of data", held, bytes);
    for (int i = 0; i < model->weights; i++)
        if (!staged->data || !staged->data[i])
            return qs_fail(err, QS_E_SHAPE, "there is no tensor '%s', which the model needs",
                           model->weight[i].name);
    return QS_OK;
}

static qs_status read_weights(const unsigned char *bytes, size_t n, qs_model *model, qs_error *err)
{
    json_t *header = NULL;
    size_t start = 0;
    qs_staged staged = {0};
    QS_TRY(parse_header(bytes, n, &header, &start, err));
    qs_status status = json_is_object(header)
                           ? qs_staged_open(model, &staged, err)
                           : qs_fail(err, QS_E_FORMAT, "the header is no object");
    if (status == QS_OK)
        status = read_entries(header, bytes + start, n - start, model, &staged, err);
    if (status == QS_OK)
        qs_staged_commit(&staged, model);
    qs_staged_close(&staged);
    json_decref(header);
    return status;
}

static qs_status list(const unsigned char *bytes, size_t n, qs_weight_file *out, qs_error *err)
{
    json_t *header = NULL, *entry;
    size_t start = 0;
    const char *name;
    qs_status status = parse_header(bytes, n, &header, &start, err);
    json_object_foreach (header, name, entry) {
        tensor one = {0};
        if (!strcmp(name, "__metadata__"))
            continue;
        status = read_tensor(entry, bytes + start, n - start, &one, err);
        qs_shape shape = {.rank = one.array.rank};
        memcpy(shape.dim, one.array.dim, sizeof shape.dim);
        if (status == QS_OK)
            status = qs_weight_file_add(out, name, &shape, err);
        if (status != QS_OK) {
            qs_context(err, status, "tensor '%.80s'", name);
            break;
        }
    }
    json_decref(header);
    return status;
}

static json_t *entry_json(const qs_weight *weight, size_t begin)
{
    json_t *shape = json_array();
    for (int i = 0; i < weight->shape.rank; i++)
        json_array_append_new(shape, json_integer((json_int_t)weight->shape.dim[i]));
    const size_t end = begin + qs_shape_count(&weight->shape) * sizeof(float);
    return json_pack("{s:s, s:o, s:[I, I]}", "dtype", "F32", "shape", shape, "data_offsets",
                     (json_int_t)begin, (json_int_t)end);
}

/* The header's text, padded with spaces so that the numbers are aligned. */
static char *header_text(const qs_model *model)
{
    json_t *header = json_pack("{s:{s:s}}", "__metadata__", "format", "keras");
    size_t at = 0;
    for (int i = 0; header && i < model->weights; i++) {
        json_object_set_new(header, model->weight[i].name, entry_json(&model->weight[i], at));
        at += qs_shape_count(&model->weight[i].shape) * sizeof(float);
    }
    char *text = header ? json_dumps(header, JSON_COMPACT) : NULL;
    json_decref(header);
    if (!text)
        return NULL;
    const int pad = (int)((ALIGN - strlen(text) % ALIGN) % ALIGN);
    char *padded = qs_format("%s%*s", text, pad, "");
    qs_free(text);
    return padded;
}

static qs_status write(const qs_model *model, unsigned char **bytes, size_t *n, qs_error *err)
{
    qs_json_setup();
    char *header = header_text(model);
    const size_t head = header ? strlen(header) : 0;
    const size_t total = PREFIX + head + qs_model_params(model) * sizeof(float);
    unsigned char *all = header ? qs_malloc(total) : NULL;
    if (!all) {
        qs_free(header);
        return qs_fail_memory(err, (double)total, "a safetensors file");
    }
    for (int i = 0; i < PREFIX; i++)
        all[i] = (unsigned char)((uint64_t)head >> (8 * i));
    memcpy(all + PREFIX, header, head);
    unsigned char *to = all + PREFIX + head;
    for (int i = 0; i < model->weights; i++) {
        const size_t size = qs_shape_count(&model->weight[i].shape) * sizeof(float);
        memcpy(to, model->weight[i].data, size);
        to += size;
    }
    qs_free(header);
    *bytes = all;
    *n = total;
    return QS_OK;
}

const qs_file_format qs_file_format_safetensors = {
    .name = "safetensors",
    .ending = ".safetensors",
    .help = "weights alone, by name",
    .weights = true,
    .copies = 1,
    .read_weights = read_weights,
    .list = list,
    .write = write,
};
