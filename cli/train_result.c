/* SPDX-License-Identifier: MIT */
/* train_result.c - what a finished run came to, as JSON and in words. */
#include "train_result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "environment.h"
#include "report.h"
#include "text.h"

static void add_scores(json_t *out, const char *prefix, const qs_scores *s)
{
    char key[96];
    snprintf(key, sizeof key, "%sloss", prefix);
    json_object_set_new(out, key, json_number(s->loss));
    for (int i = 0; i < s->metrics; i++) {
        snprintf(key, sizeof key, "%s%s", prefix, s->name[i]);
        json_object_set_new(out, key, json_number(s->value[i]));
    }
}

static json_t *epoch_json(const qs_epoch *e)
{
    json_t *out = json_object();
    json_object_set_new(out, "epoch", json_count(e->epoch));
    add_scores(out, "", &e->train);
    if (e->has_valid)
        add_scores(out, "val_", &e->valid);
    else
        json_object_set_new(out, "val_loss", json_null());
    json_object_set_new(out, "seconds", json_number(e->seconds));
    json_object_set_new(out, "seconds_waiting", json_number(e->seconds_waiting));
    json_object_set_new(out, "samples", json_count(e->train.samples));
    json_object_set_new(out, "lr", json_number(e->learning_rate));
    return out;
}

static json_t *epochs_json(const qs_result *r)
{
    json_t *out = json_array();
    for (size_t i = 0; i < r->epochs; i++)
        json_array_append_new(out, epoch_json(&r->epoch[i]));
    return out;
}

static json_t *final_json(const qs_result *r)
{
    json_t *out = json_object();
    const qs_epoch *last = r->epochs ? &r->epoch[r->epochs - 1] : NULL;
    if (last)
        add_scores(out, "", &last->train);
    else
        json_object_set_new(out, "loss", json_null());
    if (last && last->has_valid)
        add_scores(out, "val_", &last->valid);
    if (r->has_test)
        add_scores(out, "test_", &r->test);
    return out;
}

static double samples_per_second(const qs_result *r)
{
    double samples = 0, seconds = 0;
    for (size_t i = 0; i < r->epochs; i++) {
        samples += (double)r->epoch[i].train.samples;
        seconds += r->epoch[i].seconds;
    }
    return seconds > 0 ? samples / seconds : (double)NAN;
}

/* Of the steps that were made: where all samples are fewer than a batch, they are a step. */
static double flops_per_step(const qs_result *r)
{
    const size_t samples = r->epochs ? r->epoch[0].train.samples : r->trainer.batch;
    const double full = samples < r->trainer.batch ? (double)samples / (double)r->trainer.batch : 1;
    return r->trainer.flops_per_step * full;
}

/* NaN where it is not known. */
static double flops_per_second(const qs_result *r)
{
    return r->ms_per_step > 0 ? flops_per_step(r) / (r->ms_per_step * 1e-3) : (double)NAN;
}

static double peak_fraction(const train_outcome *t)
{
    return t->peak_flops > 0 ? flops_per_second(t->run) / t->peak_flops : (double)NAN;
}

static double known(double x)
{
    return x > 0 ? x : (double)NAN;
}

static json_t *timing_json(const train_outcome *t)
{
    const qs_result *r = t->run;
    json_t *out = json_object();
    json_object_set_new(out, "startup_s", json_number(t->startup_s));
    json_object_set_new(out, "load_s", json_number(t->load_s));
    json_object_set_new(out, "compile_s", json_number(r->compile_s));
    json_object_set_new(out, "train_s", json_number(r->train_s));
    json_object_set_new(out, "total_s", json_number(t->total_s));
    json_object_set_new(out, "ms_per_step", json_number(known(r->ms_per_step)));
    json_object_set_new(out, "samples_per_s", json_number(samples_per_second(r)));
    json_object_set_new(out, "gflops_per_step", json_number(flops_per_step(r) / 1e9));
    json_object_set_new(out, "achieved_gflops", json_number(flops_per_second(r) / 1e9));
    json_object_set_new(out, "peak_gflops", json_number(known(t->peak_flops) / 1e9));
    json_object_set_new(out, "peak_fraction", json_number(peak_fraction(t)));
    return out;
}

static json_t *memory_json(const qs_result *r)
{
    json_t *out = json_object();
    const size_t peak = environment_peak_bytes();
    json_object_set_new(out, "host_peak_bytes", peak ? json_count(peak) : json_null());
    json_object_set_new(out, "device_bytes", json_count(r->trainer.arena_bytes));
    json_object_set_new(out, "bytes_allocated_per_step",
                        r->steps ? json_count(r->trainer.allocated_bytes / r->steps) : json_null());
    return out;
}

static json_t *path_json(const qs_trainer_info *info)
{
    json_t *out = json_object(), *notes = json_array();
    const char *line = info->notes ? info->notes : "";
    for (; *line; line += strcspn(line, "\n"), line += *line == '\n')
        json_array_append_new(notes, json_stringn(line, strcspn(line, "\n")));
    json_object_set_new(out, "tier", json_text(info->tier));
    json_object_set_new(out, "notes", notes);
    return out;
}

static json_t *losses_json(const qs_result *r)
{
    json_t *out = json_array();
    for (size_t i = 0; i < r->step_losses; i++)
        json_array_append_new(out, json_number(r->step_loss[i]));
    return out;
}

void train_result_json(const train_outcome *t, json_t *out)
{
    const qs_result *r = t->run;
    json_object_set_new(out, "model", json_text(t->label));
    json_object_set_new(out, "params", json_count(qs_model_params(t->model)));
    json_object_set_new(out, "device", json_text(r->trainer.device));
    json_object_set_new(out, "device_reason", json_text(r->trainer.device_reason));
    json_object_set_new(out, "precision", json_text(r->trainer.precision));
    json_object_set_new(out, "threads", json_integer(r->trainer.threads));
    json_object_set_new(out, "batch", json_count(r->trainer.batch));
    json_object_set_new(out, "steps_per_epoch", json_count(r->steps_per_epoch));
    json_object_set_new(out, "seed", json_integer((json_int_t)t->seed));
    json_object_set_new(out, "loss", json_text(r->trainer.loss));
    json_object_set_new(out, "optimizer", json_text(r->trainer.optimizer));
    json_object_set_new(out, "epochs", epochs_json(r));
    json_object_set_new(out, "final", final_json(r));
    json_object_set_new(out, "steps", json_count(r->steps));
    json_object_set_new(out, "stop", json_text(r->stop));
    json_object_set_new(out, "notes", json_text(r->notes));
    json_object_set_new(out, "timing", timing_json(t));
    json_object_set_new(out, "memory", memory_json(r));
    json_object_set_new(out, "resident", json_boolean(r->resident));
    json_object_set_new(out, "input", json_text(r->input));
    json_object_set_new(out, "path", path_json(&r->trainer));
    if (r->step_loss)
        json_object_set_new(out, "step_losses", losses_json(r));
    json_object_set_new(out, "saved", json_deep_copy(t->saved));
    json_object_set_new(out, "run", json_text(r->folder));
}

static void print_scores(const char *prefix, const qs_scores *s)
{
    printf("%sloss %.4f", prefix, s->loss);
    for (int i = 0; i < s->metrics; i++)
        printf("  %s%s %.4f", prefix, s->name[i], s->value[i]);
    putchar('\n');
}

static void print_speed(const train_outcome *t)
{
    char rate[TEXT_BYTES], seconds[TEXT_BYTES];
    const qs_result *r = t->run;
    if (!(r->ms_per_step > 0))
        return;
    const double samples = samples_per_second(r);
    fprintf(stderr, "%s in all; %.3g ms a step", text_seconds(t->total_s, seconds), r->ms_per_step);
    if (isfinite(samples))
        fprintf(stderr, ", %s samples/s", text_count((uint64_t)samples, rate));
    fprintf(stderr, ", %.3g GFLOP/s", flops_per_second(r) / 1e9);
    if (t->peak_flops > 0)
        fprintf(stderr, " (%.0f %% of this machine's %.0f)", 100 * peak_fraction(t),
                t->peak_flops / 1e9);
    fputc('\n', stderr);
}

void train_result_print(const train_outcome *t, int quiet)
{
    const qs_result *r = t->run;
    if (!quiet)
        print_speed(t);
    if (r->epochs) {
        const qs_epoch *last = &r->epoch[r->epochs - 1];
        print_scores("", &last->train);
        if (last->has_valid)
            print_scores("val_", &last->valid);
    }
    if (r->has_test)
        print_scores("test_", &r->test);
}
