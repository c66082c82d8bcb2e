/* SPDX-License-Identifier: MIT */
/* cmd_help.c - help on a command or a topic; prints the man page and the shell completions. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "help.h"
#include "nearest.h"
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

static const char *const registries[] = {
    "layers",  "activations", "initializers", "regularizers", "constraints", "losses",
    "metrics", "optimizers",  "schedules",    "sources",      "formats"};

static qs_status unknown(const char *name, qs_error *err)
{
    nearest near;
    nearest_begin(&near, name, strlen(name));
    const command *c;
    const topic *t;
    for (size_t i = 0; (c = command_at(i)); i++)
        nearest_offer(&near, c->name);
    for (size_t i = 0; (t = topic_at(i)); i++)
        nearest_offer(&near, t->name);
    for (size_t i = 0; i < sizeof registries / sizeof *registries; i++)
        nearest_offer(&near, registries[i]);
    char text[256];
    return fail(err, QS_E_ARG, "nothing is known about '%s'; %s", name,
                nearest_text(&near, "'quickstep --help' lists what is", text, sizeof text));
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
