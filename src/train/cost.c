/* SPDX-License-Identifier: MIT */
/* cost.c - what a step costs, from the program itself. */
#include "graph/program.h"
#include "nn/compile.h"
#include "nn/loss.h"
#include "nn/optim.h"
#include "quickstep/model.h"

static const char *setting(const qs_model *model, const char *key, const char *fallback)
{
    const char *text = qs_model_setting(model, key);
    return text ? text : fallback;
}

static void count(const qs_program *p, size_t batch, qs_cost *out)
{
    const qs_slicing s = qs_slicing_of(batch);
    const size_t lanes = qs_slice_first(&s, s.slices);
    const double most = (double)((size_t)1 << 62);
    const double bytes =
        sizeof(float) * ((double)p->lane_floats * (double)lanes + (double)p->fixed_floats);
    *out = (qs_cost){.train_flops = p->train_flops * (double)batch,
                     .predict_flops = p->predict_flops * (double)batch,
                     .weight_bytes = p->param_floats * sizeof(float),
                     .optimizer_bytes = p->param_floats * (size_t)p->slots * sizeof(float),
                     .activation_bytes = bytes < most ? (size_t)bytes : (size_t)most};
    for (size_t k = 0; k < p->calls; k++)
        out->calls += (p->call[k].modes & QS_TRAIN) != 0;
}

qs_status qs_model_cost(const qs_model *model, size_t batch, qs_cost *out, qs_error *err)
{
    if (!batch)
        return qs_fail(err, QS_E_ARG, "a batch needs at least one sample");
    qs_arena arena = {0};
    qs_compile_options options = {.max_batch = batch};
    qs_program *program = NULL;
    qs_status status =
        qs_spec_parse(&arena, &qs_loss_registry, setting(model, "loss", "categorical_crossentropy"),
                      &options.loss, err);
    if (status == QS_OK)
        status = qs_spec_parse(&arena, &qs_optim_registry, setting(model, "optimizer", "nadam"),
                               &options.optimizer, err);
    if (status == QS_OK)
        status = qs_compile(model, &options, &program, err);
    if (status == QS_OK)
        count(program, batch, out);
    qs_program_free(program);
    qs_arena_free(&arena);
    return status;
}
