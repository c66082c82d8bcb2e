/* SPDX-License-Identifier: MIT */
/* hdf5_state.c - the optimizer's variables one by one, in either layout. */
#include "format/hdf5_model.h"
#include "format/optim_layout.h"

enum { PATH = 512 };

/* Variables that are there before the first step: iterations and the learning rate. */
static size_t unbuilt(const qs_optim_layout *layout)
{
    size_t n = 0;
    while (n < layout->count && (layout->variable[n].part == QS_PART_ITERATIONS ||
                                 layout->variable[n].part == QS_PART_LEARNING_RATE))
        n++;
    return n;
}

qs_status qs_hdf5_state_there(const qs_model *model, size_t n, bool *there, qs_error *err)
{
    qs_optim_layout layout;
    QS_TRY(qs_optim_layout_open(model, &layout, err));
    const size_t need = layout.count, least = unbuilt(&layout);
    qs_optim_layout_close(&layout);
    *there = n && n == need;
    if (!n || !need || n == need || n == least)
        return QS_OK;
    return qs_fail(err, QS_E_FORMAT,
                   "the optimizer's state has %zu variables in the file, %s needs %zu", n,
                   qs_model_setting(model, "optimizer"), need);
}

static qs_status read_iterations(const qs_hdf5 *file, const char *path, qs_optim_state *state,
                                 qs_error *err)
{
    double x;
    QS_TRY(qs_hdf5_read_number(file, path, &x, err));
    if (!(x >= 0 && x < 1e15))
        return qs_fail(err, QS_E_FORMAT, "%s: %g is no number of updates", path, x);
    state->iterations = (uint64_t)x;
    return QS_OK;
}

static qs_status read_variable(const qs_hdf5 *file, const char *path,
                               const qs_optim_variable *variable, qs_model *model, qs_error *err)
{
    qs_optim_state *state = &model->optim;
    switch (variable->part) {
    case QS_PART_ITERATIONS:
        return read_iterations(file, path, state, err);
    case QS_PART_LEARNING_RATE:
        return qs_hdf5_read_number(file, path, &state->learning_rate, err);
    case QS_PART_SCALAR:
        return qs_hdf5_read_number(file, path, &state->scalar, err);
    case QS_PART_SLOT:
        break;
    }
    return qs_hdf5_read(file, path, &model->weight[variable->weight].shape,
                        state->slot[variable->slot][variable->weight], err);
}

static qs_status read_all(const qs_hdf5 *file, qs_model *model, const qs_optim_layout *layout,
                          qs_state_path path, const void *self, qs_error *err)
{
    char text[PATH];
    QS_TRY(qs_model_optim_alloc(model, layout->slots, err));
    for (size_t i = 0; i < layout->count; i++) {
        path(self, i, text);
        const qs_status status = read_variable(file, text, &layout->variable[i], model, err);
        if (status != QS_OK) {
            qs_model_optim_alloc(model, 0, NULL);
            return status;
        }
    }
    model->optim.present = true;
    return QS_OK;
}

qs_status qs_hdf5_state_read(const qs_hdf5 *file, qs_model *model, qs_state_path path,
                             const void *self, qs_error *err)
{
    qs_optim_layout layout;
    QS_TRY(qs_optim_layout_open(model, &layout, err));
    qs_status status = QS_OK;
    if (layout.count)
        status = read_all(file, model, &layout, path, self, err);
    qs_optim_layout_close(&layout);
    return qs_context(err, status, "optimizer state");
}

static qs_status write_variable(const qs_hdf5 *file, const char *path,
                                const qs_optim_variable *variable, const qs_model *model,
                                double own_rate, qs_error *err)
{
    const qs_optim_state *state = &model->optim;
    const qs_shape one = {0};
    const float rate = (float)(state->learning_rate > 0 ? state->learning_rate : own_rate);
    const float scalar = (float)state->scalar;
    switch (variable->part) {
    case QS_PART_ITERATIONS:
        return qs_hdf5_write_integer(file, path, (int64_t)state->iterations, err);
    case QS_PART_LEARNING_RATE:
        return qs_hdf5_write(file, path, &one, &rate, err);
    case QS_PART_SCALAR:
        return qs_hdf5_write(file, path, &one, &scalar, err);
    case QS_PART_SLOT:
        break;
    }
    return qs_hdf5_write(file, path, &model->weight[variable->weight].shape,
                         state->slot[variable->slot][variable->weight], err);
}

qs_status qs_hdf5_state_write(const qs_hdf5 *file, const qs_model *model, qs_state_path path,
                              const void *self, qs_error *err)
{
    qs_optim_layout layout;
    QS_TRY(qs_optim_layout_open(model, &layout, err));
    qs_status status = QS_OK;
    if (layout.slots > model->optim.slots)
        status = qs_fail(err, QS_E_ARG, "the state has %d slots, %s needs %d", model->optim.slots,
                         layout.optimizer, layout.slots);
    for (size_t i = 0; i < layout.count && status == QS_OK; i++) {
        char text[PATH];
        path(self, i, text);
        status = write_variable(file, text, &layout.variable[i], model, layout.learning_rate, err);
    }
    qs_optim_layout_close(&layout);
    return status;
}
