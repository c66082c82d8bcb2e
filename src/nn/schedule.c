/* SPDX-License-Identifier: MIT */
/* schedule.c - learning rates that change with the step, as Keras 3 has them; in double. */
#include "nn/schedule.h"

#include <math.h>

#include "nn/attr.h"
#include "nn/model.h"

static const double pi = 3.14159265358979323846;

static double number(const qs_spec *spec, const char *name)
{
    return qs_spec_value(spec, name)->number;
}

#define INITIAL QS_NUMBER_ATTR("initial_learning_rate", NULL, 0, 1e9, "rate of the first step")
#define STEPS   QS_NUMBER_ATTR("decay_steps", NULL, 1e-9, 1e15, "steps of one decay")
#define RATE    QS_NUMBER_ATTR("decay_rate", NULL, 0, 1e9, "what one decay does")
#define STAIRS  QS_BOOL_ATTR("staircase", "false", "whole decays only")
#define ALPHA   QS_NUMBER_ATTR("alpha", "0", 0, 1e9, "last rate as a fraction of the first")

static const qs_attr decay_attrs[] = {INITIAL, STEPS, RATE, STAIRS, QS_ATTRS_END};

/* Decays so far, whole ones only with `staircase`. */
static double decays(const qs_spec *spec, uint64_t step)
{
    const double p = (double)step / number(spec, "decay_steps");
    return number(spec, "staircase") != 0 ? floor(p) : p;
}

static double exponential(const qs_spec *spec, uint64_t step)
{
    return number(spec, "initial_learning_rate") *
           pow(number(spec, "decay_rate"), decays(spec, step));
}

static double inverse_time(const qs_spec *spec, uint64_t step)
{
    return number(spec, "initial_learning_rate") /
           (1 + number(spec, "decay_rate") * decays(spec, step));
}

static const qs_attr cosine_attrs[] = {
    INITIAL,
    STEPS,
    ALPHA,
    QS_NUMBER_ATTR("warmup_target", "null", 0, 1e9, "rate after a linear rise; null: no rise"),
    QS_NUMBER_ATTR("warmup_steps", "0", 0, 1e15, "steps of the rise"),
    QS_ATTRS_END,
};

static double cosine(const qs_spec *spec, uint64_t step)
{
    const qs_value *target = qs_spec_value(spec, "warmup_target");
    const double start = number(spec, "initial_learning_rate"), alpha = number(spec, "alpha");
    const double rise = target->null ? 0 : number(spec, "warmup_steps");
    if ((double)step < rise)
        return (target->number - start) * ((double)step / rise) + start;
    const double p = fmin(((double)step - rise) / number(spec, "decay_steps"), 1);
    const double top = target->null ? start : target->number;
    return top * ((1 - alpha) * 0.5 * (1 + cos(pi * p)) + alpha);
}

static const qs_attr restarts_attrs[] = {
    INITIAL,
    QS_NUMBER_ATTR("first_decay_steps", NULL, 1e-9, 1e15, "steps of the first fall"),
    QS_NUMBER_ATTR("t_mul", "2", 1, 1e9, "how much longer each fall is than the one before"),
    QS_NUMBER_ATTR("m_mul", "1", 0, 1e9, "how much higher each fall starts"),
    ALPHA,
    QS_ATTRS_END,
};

/* Falls before p, where each is `factor` times as long as the one before; the first has length 1.
 * The logarithm of a power may come out just below a whole number. */
static double falls_before(double p, double factor)
{
    if (factor == 1)
        return floor(p);
    const double x = log(1 - p * (1 - factor)) / log(factor), near = floor(x + 0.5);
    return fabs(x - near) < 1e-9 ? near : floor(x);
}

static double cosine_restarts(const qs_spec *spec, uint64_t step)
{
    const double factor = number(spec, "t_mul"), alpha = number(spec, "alpha");
    double p = (double)step / number(spec, "first_decay_steps");
    const double falls = falls_before(p, factor), length = pow(factor, falls);
    p = factor == 1 ? p - falls : (p - (1 - length) / (1 - factor)) / length;
    const double height = pow(number(spec, "m_mul"), falls);
    return number(spec, "initial_learning_rate") *
           ((1 - alpha) * 0.5 * height * (1 + cos(pi * p)) + alpha);
}

static const qs_attr polynomial_attrs[] = {
    INITIAL,
    STEPS,
    QS_NUMBER_ATTR("end_learning_rate", "0.0001", 0, 1e9, "last rate"),
    QS_NUMBER_ATTR("power", "1", 0, 1e9, "1: a line"),
    QS_BOOL_ATTR("cycle", "false", "start again, with more steps, at the end"),
    QS_ATTRS_END,
};

static double polynomial(const qs_spec *spec, uint64_t step)
{
    const double steps = number(spec, "decay_steps"), end = number(spec, "end_learning_rate");
    double p = (double)step / steps;
    if (number(spec, "cycle") == 0)
        p = fmin(p, 1);
    else if (step > 0)
        p /= ceil(p);
    return (number(spec, "initial_learning_rate") - end) * pow(1 - p, number(spec, "power")) + end;
}

static const qs_attr piecewise_attrs[] = {
    QS_LIST_ATTR("boundaries", "last steps of the values"),
    QS_LIST_ATTR("values", "rates, one more than boundaries"),
    QS_ATTRS_END,
};

/* A boundary's own step still has the earlier value. */
static double piecewise(const qs_spec *spec, uint64_t step)
{
    const qs_value *boundaries = qs_spec_value(spec, "boundaries");
    const qs_value *values = qs_spec_value(spec, "values");
    size_t i = 0;
    while (i < boundaries->count && i + 1 < values->count && (double)step > boundaries->list[i])
        i++;
    return values->list[i];
}

static qs_status check_piecewise(const qs_spec *spec, qs_error *err)
{
    const qs_value *boundaries = qs_spec_value(spec, "boundaries");
    const qs_value *values = qs_spec_value(spec, "values");
    if (values->count != boundaries->count + 1 || !boundaries->count)
        return qs_fail(
            err, QS_E_ARG,
            "%s: %zu boundaries need %zu values, not %zu; at least one boundary is needed",
            spec->kind->name, boundaries->count, boundaries->count + 1, values->count);
    for (size_t i = 0; i + 1 < boundaries->count; i++)
        if (boundaries->list[i] >= boundaries->list[i + 1])
            return qs_fail(err, QS_E_ARG, "%s: boundaries must rise, but %g comes before %g",
                           spec->kind->name, boundaries->list[i], boundaries->list[i + 1]);
    return QS_OK;
}

static const qs_schedule_kind all[] = {
    {{"exponential_decay", "ExponentialDecay", NULL, decay_attrs,
      "rate times decay_rate to the power of step / decay_steps", NULL},
     exponential,
     NULL},
    {{"inverse_time_decay", "InverseTimeDecay", NULL, decay_attrs,
      "rate / (1 + decay_rate * step / decay_steps)", NULL},
     inverse_time,
     NULL},
    {{"cosine_decay", "CosineDecay", NULL, cosine_attrs, "half a cosine down, after a rise", NULL},
     cosine,
     NULL},
    {{"cosine_decay_restarts", "CosineDecayRestarts", NULL, restarts_attrs,
      "half cosines, each longer than the one before", NULL},
     cosine_restarts,
     NULL},
    {{"polynomial_decay", "PolynomialDecay", NULL, polynomial_attrs,
      "down to an end rate along a power", NULL},
     polynomial,
     NULL},
    {{"piecewise_constant_decay", "PiecewiseConstantDecay", NULL, piecewise_attrs,
      "one rate after the other", NULL},
     piecewise,
     check_piecewise},
};

static const qs_kind *const kinds[] = {&all[0].kind, &all[1].kind, &all[2].kind, &all[3].kind,
                                       &all[4].kind, &all[5].kind, NULL};

const qs_registry qs_schedule_registry = {"schedules", "schedule", "keras.optimizers.schedules",
                                          kinds};

static const qs_schedule_kind *kind_of(const qs_spec *schedule)
{
    return (const qs_schedule_kind *)(const void *)schedule->kind;
}

double qs_learning_rate(const qs_spec *optim, uint64_t step)
{
    const qs_value *rate = qs_spec_value(optim, "learning_rate");
    return rate->spec ? kind_of(rate->spec)->rate(rate->spec, step) : rate->number;
}

qs_status qs_schedule_check(const qs_spec *schedule, qs_error *err)
{
    const qs_schedule_kind *kind = kind_of(schedule);
    return kind->check ? kind->check(schedule, err) : QS_OK;
}
