/* SPDX-License-Identifier: MIT */
/* open.c - models and weights from and to files, by their endings. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "format/default_recipe.h"
#include "format/format.h"

static qs_status fail_ending(const char *path, qs_error *err)
{
    char known[256] = "";
    size_t at = 0;
    for (int i = 0; qs_file_formats[i] && at < sizeof known; i++)
        at += (size_t)snprintf(known + at, sizeof known - at, "%s%s", i ? ", " : "",
                               qs_file_formats[i]->ending);
    return qs_fail(err, QS_E_ARG, "%s: the ending names no known kind of model file (known: %s)",
                   path, known);
}

/* What is in a run's folder: the best model, or the last. qs_free() it. */
static qs_status in_folder(const char *folder, char **out, qs_error *err)
{
    static const char *const names[] = {"best.keras", "model.keras"};
    for (int i = 0; i < 2; i++) {
        char *path = qs_format("%s/%s", folder, names[i]);
        if (!path)
            return qs_fail_memory(err, 256, "a path");
        if (qs_file_exists(path)) {
            *out = path;
            return QS_OK;
        }
        qs_free(path);
    }
    return qs_fail(err, QS_E_MISSING, "%s: the folder holds neither best.keras nor model.keras",
                   folder);
}

/* A file's bytes and its format. */
typedef struct source {
    char *path; /* owned */
    const qs_file_format *format;
    const unsigned char *bytes;
    size_t n;
} source;

static void close_source(source *in)
{
    if (in->bytes)
        qs_file_unmap(in->bytes, in->n);
    qs_free(in->path);
    *in = (source){0};
}

static qs_status open_source(const char *path, source *out, qs_error *err)
{
    source in = {0};
    qs_status status = QS_OK;
    if (!*path)
        return qs_fail(err, QS_E_ARG, "a model's path is empty; name a file or a run's folder");
    if (qs_file_is_folder(path))
        status = in_folder(path, &in.path, err);
    else if (!(in.path = qs_strdup(path)))
        status = qs_fail_memory(err, (double)strlen(path), "a path");
    if (status == QS_OK)
        status = qs_file_map(in.path, &in.bytes, &in.n, err);
    if (status == QS_OK && !(in.format = qs_file_format_of(in.path)))
        status = fail_ending(path, err);
    if (status != QS_OK)
        close_source(&in);
    else
        *out = in;
    return status;
}

/* Says where it failed, and what the file is where it is something else. */
static qs_status at_source(const source *in, qs_status status, qs_error *err)
{
    qs_context(err, status, "%s", in->path);
    if (status == QS_E_FORMAT && err) {
        const size_t used = strlen(err->text);
        snprintf(err->text + used, sizeof err->text - used, "%s",
                 qs_file_hint(in->format, in->bytes, in->n));
    }
    return status;
}

static qs_status read_model(const source *in, qs_model **out, qs_error *err)
{
    if (!in->format->read)
        return qs_fail(
            err, QS_E_FORMAT,
            "a %s file holds weights alone: give the model that has the layers, and this "
            "file with --weights",
            in->format->ending);
    QS_TRY(in->format->read(in->bytes, in->n, out, err));
    (*out)->format = in->format->name;
    return QS_OK;
}

qs_status qs_model_open(const char *path, qs_model **out, qs_error *err)
{
    if (!path)
        return qs_model_parse(QS_DEFAULT_RECIPE, strlen(QS_DEFAULT_RECIPE), out, err);
    const size_t refusals = qs_alloc_refusals();
    source in = {0};
    qs_model *model = NULL;
    QS_TRY(open_source(path, &in, err));
    assert(in.format);
    qs_status status = read_model(&in, &model, err);
    status = at_source(&in, qs_memory_verdict(refusals, status, "the model", err), err);
    close_source(&in);
    if (status == QS_OK)
        *out = model;
    else
        qs_model_close(model);
    return status;
}

qs_status qs_model_load_weights(qs_model *model, const char *path, qs_error *err)
{
    const size_t refusals = qs_alloc_refusals();
    source in = {0};
    QS_TRY(open_source(path, &in, err));
    assert(in.format);
    qs_status status;
    if (in.format->read_weights)
        status = in.format->read_weights(in.bytes, in.n, model, err);
    else
        status = qs_fail(err, QS_E_FORMAT, "a %s file holds no weights", in.format->ending);
    if (status != QS_OK)
        status = qs_memory_verdict(refusals, status, "reading weights", err);
    status = at_source(&in, status, err);
    close_source(&in);
    return status;
}

static bool has_numbers(const qs_model *model)
{
    for (int i = 0; i < model->weights; i++)
        if (model->weight[i].data)
            return true;
    return false;
}

static qs_status check_loss(const qs_model *model, const qs_file_format *format, qs_error *err)
{
    const char *lost = NULL;
    if (!format->architecture)
        lost = "the layers";
    else if (!format->weights && has_numbers(model))
        lost = "the weights";
    else if (!format->optimizer && model->optim.present)
        lost = "the optimizer's state";
    if (!lost)
        return QS_OK;
    return qs_fail(err, QS_E_UNSUPPORTED,
                   "a %s file would lose %s; give --lossy to write it anyway", format->ending,
                   lost);
}

/* Weights that nobody has set are drawn now: only they are changed. */
static qs_status draw_weights(const qs_model *model, qs_error *err)
{
    int64_t seed = 1;
    const char *text = qs_model_setting(model, "seed");
    if (text)
        qs_integer_parse(text, strlen(text), &seed);
    return qs_model_init((qs_model *)model, (uint64_t)seed, err);
}

/* Libraries build the file in memory that nobody asks us for. */
static qs_status check_memory(const qs_model *model, const qs_file_format *format, qs_error *err)
{
    const int slots = format->optimizer && model->optim.present ? model->optim.slots : 0;
    const int drawn = format->weights && !has_numbers(model);
    return qs_memory_check(4.0 * (double)qs_model_params(model) *
                               ((1 + slots) * format->copies + drawn),
                           "writing the file", err);
}

static qs_status write_model(const qs_model *model, const qs_file_format *format, const char *path,
                             qs_error *err)
{
    const size_t refusals = qs_alloc_refusals();
    unsigned char *bytes = NULL;
    size_t n;
    QS_TRY(check_memory(model, format, err));
    if (format->weights)
        QS_TRY(draw_weights(model, err));
    qs_status status = format->write(model, &bytes, &n, err);
    status = qs_memory_verdict(refusals, status, "the file", err);
    if (status == QS_OK)
        status = qs_file_write(path, bytes, n, err);
    qs_free(bytes);
    return status;
}

qs_status qs_model_save(const qs_model *model, const char *path, int lossy, qs_error *err)
{
    const qs_file_format *format = qs_file_format_of(path);
    if (!format)
        return fail_ending(path, err);
    qs_status status = lossy ? QS_OK : check_loss(model, format, err);
    if (status == QS_OK)
        status = write_model(model, format, path, err);
    return status == QS_OK || (err && strstr(err->text, path))
               ? status
               : qs_context(err, status, "%s", path);
}
