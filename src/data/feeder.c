/* SPDX-License-Identifier: MIT */
/* feeder.c - batches of a set that is used in place. */
#include "data/feeder.h"

#include "base/alloc.h"
#include "base/rng.h"

struct qs_feeder {
    const qs_data *data;
    qs_feeder_options options;
    uint32_t *index;
    size_t next;
};

qs_status qs_feeder_open(const qs_data *data, const qs_feeder_options *options, qs_feeder **out,
                         qs_error *err)
{
    qs_feeder *f = qs_calloc(1, sizeof *f);
    uint32_t *index = qs_calloc(data->rows, sizeof *index);
    if (!f || !index) {
        qs_free(f);
        qs_free(index);
        return qs_fail_memory(err, (double)data->rows * sizeof *index, "the order of the samples");
    }
    *f = (qs_feeder){.data = data, .options = *options, .index = index};
    *out = f;
    return QS_OK;
}

qs_status qs_feeder_start(qs_feeder *f, uint64_t epoch, size_t first, qs_error *err)
{
    (void)err;
    if (f->options.shuffle)
        qs_permute(qs_key(f->options.seed, epoch, 1), f->index, f->data->rows);
    else
        for (size_t i = 0; i < f->data->rows; i++)
            f->index[i] = (uint32_t)i;
    f->next = first * f->options.batch;
    return QS_OK;
}

qs_status qs_feeder_next(qs_feeder *f, qs_rows *rows, qs_error *err)
{
    (void)err;
    const qs_data *d = f->data;
    const size_t left = f->next < d->rows ? d->rows - f->next : 0;
    *rows = (qs_rows){.n = left < f->options.batch ? left : f->options.batch,
                      .index = f->index + f->next,
                      .x = d->x,
                      .x_type = d->x_type,
                      .features = qs_shape_count(&d->sample),
                      .row_factor = d->row_factor,
                      .mul = d->mul,
                      .add = d->add,
                      .affine = d->affine,
                      .y = d->y,
                      .y_type = d->y_type,
                      .outputs = d->outputs,
                      .weight = d->weight};
    f->next += rows->n;
    return QS_OK;
}

size_t qs_feeder_batches(const qs_feeder *f)
{
    return (f->data->rows + f->options.batch - 1) / f->options.batch;
}

bool qs_feeder_resident(const qs_feeder *f)
{
    (void)f;
    return true;
}

double qs_feeder_waited(const qs_feeder *f)
{
    (void)f;
    return 0;
}

void qs_feeder_close(qs_feeder *f)
{
    if (!f)
        return;
    qs_free(f->index);
    qs_free(f);
}
