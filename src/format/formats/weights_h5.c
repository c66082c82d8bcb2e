/* SPDX-License-Identifier: MIT */
/* weights_h5.c - HDF5 with weights alone, as save_weights() writes it; older layouts are read too. */
#include "format/format.h"
#include "format/hdf5_model.h"

static qs_status read_weights(const unsigned char *bytes, size_t n, qs_model *model, qs_error *err)
{
    qs_hdf5 file;
    QS_TRY(qs_hdf5_open(bytes, n, &file, err));
    const qs_status status = qs_hdf5_weights(&file, model, err);
    qs_hdf5_close(&file);
    return status;
}

static qs_status write(const qs_model *model, unsigned char **bytes, size_t *n, qs_error *err)
{
    qs_hdf5 file;
    QS_TRY(qs_hdf5_create(&file, err));
    qs_status status = qs_hdf5_store_write(&file, model, err);
    if (status == QS_OK)
        status = qs_hdf5_image(&file, bytes, n, err);
    qs_hdf5_close(&file);
    return status;
}

const qs_file_format qs_file_format_weights_h5 = {
    .name = "weights_h5",
    .ending = ".weights.h5",
    .also = ".weights.hdf5",
    .help = "weights alone, as Keras' save_weights() writes them",
    .weights = true,
    .optimizer = true,
    .copies = 2,
    .read_weights = read_weights,
    .list = qs_hdf5_list,
    .write = write,
};
