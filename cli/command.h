/* SPDX-License-Identifier: MIT */
/* command.h - what a command of the program is.
 *
 * A new command is one file cmd_NAME.c that defines command_NAME, and one line in commands.def. Its
 * option table is the only description of its options: parsing, --help, the man page, the shell
 * completions and the tests all read it.
 */
#ifndef QS_CLI_COMMAND_H
#define QS_CLI_COMMAND_H

#include <jansson.h>
#include <stddef.h>

#include "options.h"
#include "quickstep/status.h"

enum { MAX_OPERANDS = 4 };

/* One call of a command, parsed. */
typedef struct invocation {
    const struct command *command;
    const void *options; /* the command's own struct, filled from its table */
    const char *operand[MAX_OPERANDS];
    int operands;
    int json;  /* stdout is for the result object alone */
    int quiet; /* stderr is for errors alone */
} invocation;

typedef struct command {
    const char *name, *operands, *summary;
    const char *details;  /* paragraphs for --help and the man page; NULL: none */
    const char *examples; /* one command a line; NULL: none */
    int min_operands, max_operands;
    const option *options; /* ends with {0} */
    /* Do it. With in->json fill `result`; otherwise print to stdout (and stderr unless quiet).
     * QS_E_STOPPED with a filled result prints it, too. */
    qs_status (*run)(const invocation *in, json_t *result, qs_error *err);
} command;

/* Options that every command takes. */
extern const option common_options[];

/* Every command in order; NULL past the end. */
const command *command_at(size_t index);
/* NULL: none. */
const command *command_find(const char *name);

/* Whether people meet the command: `help` serves the others. */
int command_listed(const command *c);

/* Run argv as a command; what main() returns. */
int command_main(int argc, char **argv);

#endif
