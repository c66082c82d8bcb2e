/* SPDX-License-Identifier: MIT */
/* cmd_help.c - help on a command or a topic; prints the man page and the shell completions. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "help.h"
#include "report.h"

typedef struct options {
    int man;
    const char *completion;
} options;

_Static_assert(sizeof(options) <= OPTIONS_BYTES, "raise OPTIONS_BYTES");

#define AT(field) offsetof(options, field)
static const option table[] = {
    {"man", OPT_FLAG, AT(man), .help = "Print the man page"},
    {"completion", OPT_TEXT, AT(completion), "SHELL", "Print completions for a shell",
     .choices = "bash|zsh|fish"},
    {0},
};
#undef AT

enum { MOST_NAMES = 64 };

static qs_status unknown(const char *name, qs_error *err)
{
    static const char *const registries[] = {
        "layers",  "activations", "initializers", "regularizers", "constraints", "losses",
        "metrics", "optimizers",  "schedules",    "sources",      "formats",     NULL};
    const char *names[MOST_NAMES] = {NULL};
    const command *c;
    const topic *t;
    char near[256];
    size_t n = 0;
    for (size_t i = 0; (c = command_at(i)) && n < MOST_NAMES - 1; i++)
        names[n++] = c->name;
    for (size_t i = 0; (t = topic_at(i)) && n < MOST_NAMES - 1; i++)
        names[n++] = t->name;
    for (size_t i = 0; registries[i] && n < MOST_NAMES - 1; i++)
        names[n++] = registries[i];
    return fail(err, QS_E_ARG, "nothing is known about '%s'%s; 'quickstep --help' lists what is",
                name, qs_nearest(name, names, near, sizeof near));
}

static qs_status run(const invocation *in, json_t *result, qs_error *err)
{
    const options *o = in->options;
    (void)result;
    if (o->man) {
        help_man(stdout);
    } else if (o->completion) {
        help_completion(o->completion, stdout);
    } else if (!in->operands) {
        help_program(stdout);
    } else if (command_find(in->operand[0])) {
        help_command(command_find(in->operand[0]), stdout);
    } else if (!help_topic(in->operand[0], stdout)) {
        return unknown(in->operand[0], err);
    }
    return QS_OK;
}

const command command_help = {
    .name = "help",
    .operands = "[COMMAND|TOPIC]",
    .summary = "Help on a command or a topic",
    .max_operands = 1,
    .options = table,
    .run = run,
};
