/* SPDX-License-Identifier: MIT */
/* npz.c - weights as np.savez() keeps arrays: "0", "1", … in get_weights() order. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "format/format.h"
#include "format/staged.h"
#include "format/zip_file.h"
#include "tensor/npy.h"

enum { NAME = 32 };

/* "3.npy", or "arr_3.npy" as np.savez(file, *weights) calls it. */
static void member_name(const qs_zip *zip, int index, char name[NAME])
{
    snprintf(name, NAME, "%d.npy", index);
    if (zip && !qs_zip_has(zip, name))
        snprintf(name, NAME, "arr_%d.npy", index);
    if (zip && !qs_zip_has(zip, name))
        snprintf(name, NAME, "%d.npy", index);
}

static qs_status copy(const qs_weight *weight, const unsigned char *bytes, size_t n, float *out,
                      qs_error *err)
{
    qs_array array;
    bool fortran;
    QS_TRY(qs_npy_parse(bytes, n, &array, &fortran, err));
    qs_shape shape = {.rank = array.rank};
    memcpy(shape.dim, array.dim, sizeof shape.dim);
    char have[QS_SHAPE_TEXT], want[QS_SHAPE_TEXT];
    if (!qs_shape_same(&shape, &weight->shape))
        return qs_fail(err, QS_E_SHAPE, "is %s in the file, the model needs %s",
                       qs_shape_text(&shape, have), qs_shape_text(&weight->shape, want));
    qs_floats_of(&array, fortran, out);
    return QS_OK;
}

static qs_status read_weight(const qs_zip *zip, const qs_model *model, int index, qs_staged *staged,
                             qs_error *err)
{
    char name[NAME];
    unsigned char *bytes;
    size_t n;
    member_name(zip, index, name);
    float *out = qs_staged_weight(staged, model, index);
    if (!out)
        return qs_fail_memory(err, 4.0 * (double)qs_model_params(model), "weights");
    QS_TRY(qs_zip_read(zip, name, &bytes, &n, err));
    const qs_status status = copy(&model->weight[index], bytes, n, out, err);
    qs_free(bytes);
    return qs_context(err, status, "array %.*s (%s)", (int)strcspn(name, "."), name,
                      model->weight[index].name);
}

static qs_status read_all(const qs_zip *zip, qs_model *model, qs_error *err)
{
    qs_staged staged;
    if (qs_zip_count(zip) != (size_t)model->weights)
        return qs_fail(err, QS_E_SHAPE, "the file has %zu arrays, the model %d weights",
                       qs_zip_count(zip), model->weights);
    QS_TRY(qs_staged_open(model, &staged, err));
    qs_status status = QS_OK;
    for (int i = 0; i < model->weights && status == QS_OK; i++)
        status = read_weight(zip, model, i, &staged, err);
    if (status == QS_OK)
        qs_staged_commit(&staged, model);
    qs_staged_close(&staged);
    return status;
}

static qs_status read_weights(const unsigned char *bytes, size_t n, qs_model *model, qs_error *err)
{
    qs_zip *zip;
    QS_TRY(qs_zip_open(bytes, n, &zip, err));
    const qs_status status = read_all(zip, model, err);
    qs_zip_close(zip);
    return status;
}

static qs_status list_member(const qs_zip *zip, int index, qs_weight_file *out, qs_error *err)
{
    char name[NAME];
    unsigned char *bytes;
    size_t n;
    qs_array array;
    bool fortran;
    member_name(zip, index, name);
    QS_TRY(qs_zip_read(zip, name, &bytes, &n, err));
    qs_status status = qs_npy_parse(bytes, n, &array, &fortran, err);
    qs_free(bytes);
    QS_TRY(qs_context(err, status, "%s", name));
    qs_shape shape = {.rank = array.rank};
    memcpy(shape.dim, array.dim, sizeof shape.dim);
    name[strcspn(name, ".")] = 0;
    return qs_weight_file_add(out, name, &shape, err);
}

static qs_status list(const unsigned char *bytes, size_t n, qs_weight_file *out, qs_error *err)
{
    qs_zip *zip;
    QS_TRY(qs_zip_open(bytes, n, &zip, err));
    qs_status status = QS_OK;
    for (size_t i = 0; i < qs_zip_count(zip) && status == QS_OK; i++)
        status = list_member(zip, (int)i, out, err);
    qs_zip_close(zip);
    return status;
}

/* A header and its elements; NULL when memory runs out. */
static unsigned char *array_bytes(const qs_weight *weight, size_t *n)
{
    unsigned char header[QS_NPY_HEADER];
    const size_t head = qs_npy_header(QS_F32, &weight->shape, header);
    const size_t body = qs_shape_count(&weight->shape) * sizeof(float);
    unsigned char *bytes = qs_malloc(head + body);
    if (!bytes)
        return NULL;
    memcpy(bytes, header, head);
    memcpy(bytes + head, weight->data, body);
    *n = head + body;
    return bytes;
}

static qs_status fill_members(const qs_model *model, qs_zip_member *member, char (*name)[NAME],
                              qs_error *err)
{
    for (int i = 0; i < model->weights; i++) {
        member_name(NULL, i, name[i]);
        member[i].name = name[i];
        member[i].bytes = array_bytes(&model->weight[i], &member[i].n);
        if (!member[i].bytes)
            return qs_fail_memory(err, 4.0 * (double)qs_model_params(model), "an .npz file");
    }
    return QS_OK;
}

static qs_status write(const qs_model *model, unsigned char **bytes, size_t *n, qs_error *err)
{
    const size_t count = (size_t)model->weights;
    qs_zip_member *member = qs_calloc(count, sizeof *member);
    char(*name)[NAME] = qs_calloc(count, sizeof *name);
    qs_status status = member && name ? fill_members(model, member, name, err)
                                      : qs_fail_memory(err, (double)count * NAME, "an .npz file");
    if (status == QS_OK)
        status = qs_zip_write(member, count, bytes, n, err);
    for (size_t i = 0; member && i < count; i++)
        qs_free((void *)member[i].bytes);
    qs_free(member);
    qs_free(name);
    return status;
}

const qs_file_format qs_file_format_npz = {
    .name = "npz",
    .ending = ".npz",
    .help = "weights alone, as NumPy arrays \"0\", \"1\", … in get_weights() order",
    .weights = true,
    .copies = 3,
    .read_weights = read_weights,
    .list = list,
    .write = write,
};
