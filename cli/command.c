/* SPDX-License-Identifier: MIT */
/* command.c - finds the command that was asked for, and runs it. */
#include "command.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "help.h"
#include "quickstep/quickstep.h"
#include "report.h"
#include "text.h"

#define COMMAND(name) extern const command command_##name;
#include "commands.def"
#undef COMMAND

static const command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "commands.def"
#undef COMMAND
    NULL,
};

typedef struct common {
    int help, json, quiet;
} common;

#define AT(field) offsetof(common, field)
const option common_options[] = {
    {"json", OPT_FLAG, AT(json), .help = "Print the result as one JSON object"},
    {"quiet", OPT_FLAG, AT(quiet), .help = "Print no progress and no remarks"},
    {"help", OPT_FLAG, AT(help), .help = "Print this help"},
    {0},
};
#undef AT

const command *command_at(size_t index)
{
    size_t count = 0;
    while (commands[count])
        count++;
    return index < count ? commands[index] : NULL;
}

const command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

int command_listed(const command *c)
{
    return strcmp(c->name, "help") != 0;
}

/* Shown once, here, so that a failing command prints nothing but its error. */
static int finish(const invocation *in, json_t *result, qs_status status, qs_error *err)
{
    const int has_result = status == QS_OK || json_object_size(result) > 1;
    if (in->json && has_result)
        report_json(result);
    if (in->json && !has_result) {
        json_t *story = json_object();
        json_object_set_new(story, "text", json_text(err->text));
        json_object_set_new(story, "exit", json_integer(qs_status_exit(status)));
        json_object_set_new(result, "error", story);
        report_json(result);
    }
    qs_error late;
    if (status != QS_OK && status != QS_E_STOPPED)
        report_error(err);
    else if (report_flush(&late) != QS_OK)
        return report_error(&late), qs_status_exit(late.code);
    return qs_status_exit(status);
}

static qs_status check_operands(const command *c, int given, qs_error *err)
{
    if (given >= c->min_operands)
        return QS_OK;
    return fail(err, QS_E_ARG, "%d of %d operands given; usage: quickstep %s %s", given,
                c->min_operands, c->name, c->operands);
}

/* Whether the user asked for --json, even where the rest of the line is wrong. */
static int wants_json(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0)
            return 1;
    return 0;
}

static int run(const command *c, int argc, char **argv)
{
    _Alignas(max_align_t) unsigned char own[OPTIONS_BYTES] = {0};
    common shared = {0};
    const option_target targets[] = {{c->options, own}, {common_options, (unsigned char *)&shared}};
    invocation in = {.command = c, .options = own, .json = wants_json(argc, argv)};
    operand_list operands = {in.operand, c->max_operands, 0};

    qs_error err = {0};
    qs_status status = options_reset(targets, 2, &err);
    if (status == QS_OK)
        status = options_parse(targets, 2, argc, argv, &operands, &err);
    if (status == QS_OK && shared.help) {
        help_command(c, stdout);
        return report_flush(&err) == QS_OK ? 0 : qs_status_exit(err.code);
    }
    if (status == QS_OK)
        status = check_operands(c, operands.count, &err);
    json_t *result = json_object();
    json_object_set_new(result, "verb", json_text(c->name));
    if (status == QS_OK) {
        in.operands = operands.count;
        in.json = shared.json;
        in.quiet = shared.quiet;
        status = c->run(&in, result, &err);
    }
    if (status != QS_OK) {
        fail_within(&err, status, "%s", c->name);
        fail_advice(&err, status, "%s", help_advice(status));
    }
    const int code = finish(&in, result, status, &err);
    json_decref(result);
    return code;
}

/* Something that the user can only mean as a model: it exists, or it ends like one. */
static int looks_like_model(const char *text)
{
    return *text_ending(text) || strchr(text, '/') || access(text, F_OK) == 0;
}

static int unknown_command(const char *name)
{
    static const char *const names[] = {
#define COMMAND(name) #name,
#include "commands.def"
#undef COMMAND
        NULL,
    };
    qs_error err;
    char near[256];
    fail(&err, QS_E_ARG, "%s: there is no such command%s; 'quickstep --help' lists them", name,
         qs_nearest(name, names, near, sizeof near));
    report_error(&err);
    return qs_status_exit(err.code);
}

/* The first argument that is not one of the options without a value. */
static int verb_index(int argc, char **argv)
{
    int i = 1;
    while (i < argc && (strcmp(argv[i], "--json") == 0 || strcmp(argv[i], "--quiet") == 0))
        i++;
    return i;
}

int command_main(int argc, char **argv)
{
    const int at = verb_index(argc, argv);
    const char *name = at < argc ? argv[at] : NULL;
    if (argc < 2 || (name && (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)))
        return help_program(stdout), 0;
    if (name && strcmp(name, "--version") == 0)
        return printf("quickstep %s\n", qs_version()), 0;

    const command *c = name ? command_find(name) : NULL;
    if (c) {
        /* Options before the verb stay; the verb itself goes. */
        memmove(argv + at, argv + at + 1, (size_t)(argc - at) * sizeof *argv);
        return run(c, argc - 2, argv + 1);
    }
    if (name && name[0] != '-' && !looks_like_model(name))
        return unknown_command(name);
    return run(command_find("train"), argc - 1, argv + 1);
}
