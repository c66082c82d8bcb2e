/* SPDX-License-Identifier: MIT */
/* staged.c - holds weights until a whole file has been read. */
#include "format/staged.h"

#include <string.h>

#include "base/alloc.h"

qs_status qs_staged_open(const qs_model *model, qs_staged *out, qs_error *err)
{
    float **data = qs_calloc((size_t)model->weights, sizeof *data);
    if (!data)
        return qs_fail_memory(err, (double)model->weights * sizeof *data, "a list of weights");
    *out = (qs_staged){data, model->weights};
    return QS_OK;
}

float *qs_staged_weight(qs_staged *staged, const qs_model *model, int index)
{
    if (!staged->data[index])
        staged->data[index] = qs_calloc(qs_shape_count(&model->weight[index].shape), sizeof(float));
    return staged->data[index];
}

void qs_staged_commit(qs_staged *staged, qs_model *model)
{
    for (int i = 0; i < staged->weights; i++) {
        if (!staged->data[i])
            continue;
        qs_free(model->weight[i].data);
        model->weight[i].data = staged->data[i];
        model->weight[i].loaded = true;
        staged->data[i] = NULL;
    }
}

void qs_staged_close(qs_staged *staged)
{
    for (int i = 0; i < staged->weights; i++)
        qs_free(staged->data[i]);
    qs_free(staged->data);
    *staged = (qs_staged){0};
}

static float element(const qs_array *array, size_t i)
{
    const unsigned char *at = (const unsigned char *)array->data + i * qs_dtype_bytes(array->dtype);
#define CASE(name, type)                                                                           \
    case name: {                                                                                   \
        type x;                                                                                    \
        memcpy(&x, at, sizeof x);                                                                  \
        return (float)x;                                                                           \
    }
    switch (array->dtype) {
        CASE(QS_F32, float)
        CASE(QS_F64, double)
        CASE(QS_U8, uint8_t)
        CASE(QS_I8, int8_t)
        CASE(QS_I16, int16_t)
        CASE(QS_U16, uint16_t)
        CASE(QS_I32, int32_t)
        CASE(QS_U32, uint32_t)
        CASE(QS_I64, int64_t)
    }
#undef CASE
    return 0;
}

/* Where element i of C order stands in Fortran order. */
static size_t fortran_place(const qs_array *array, size_t i)
{
    size_t place = 0, axis[QS_MAX_RANK] = {0};
    for (int k = array->rank - 1; k >= 0; k--) {
        axis[k] = i % array->dim[k];
        i /= array->dim[k];
    }
    for (int k = array->rank - 1; k >= 0; k--)
        place = place * array->dim[k] + axis[k];
    return place;
}

void qs_floats_of(const qs_array *array, bool fortran, float *out)
{
    size_t n = 1;
    for (int k = 0; k < array->rank; k++)
        n *= array->dim[k];
    if (array->dtype == QS_F32 && !fortran) {
        memcpy(out, array->data, n * sizeof *out);
        return;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = element(array, fortran ? fortran_place(array, i) : i);
}
