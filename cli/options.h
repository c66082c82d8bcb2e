/* SPDX-License-Identifier: MIT */
/* options.h - option tables and how a command line is read by them. */
#ifndef QS_CLI_OPTIONS_H
#define QS_CLI_OPTIONS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "quickstep/status.h"

enum { OPTIONS_BYTES = 512 };

/* What a kind stores, and what it stores while the option is not given. */
typedef enum option_kind {
    OPT_END,
    OPT_HEADING, /* a title in --help */
    OPT_FLAG,    /* int: 0, 1 */
    OPT_SWITCH,  /* int: --x is 1, --no-x is 0; -1 not given */
    OPT_COUNT,   /* int64_t; -1 not given */
    OPT_REAL,    /* double; NaN not given */
    OPT_TEXT     /* const char *; NULL not given */
} option_kind;

typedef struct option {
    const char *name; /* "device", given as --device X or --device=X */
    option_kind kind;
    size_t at;           /* offset of the value in the command's struct */
    const char *operand; /* "N", "FILE"; NULL for flags */
    const char *help;
    const char *preset;  /* read like a user's value, and shown by --help */
    const char *env;     /* variable that stands in while the option is not given */
    const char *choices; /* "auto|on|off": all that is allowed. "@losses": a registry, and "/":
                            file names, both for help and completion only */
    double min, max;     /* of numbers, inclusive; both 0: any that is not negative */
} option;

/* One table and the struct that its offsets point into. */
typedef struct option_target {
    const option *table;
    unsigned char *into;
} option_target;

/* What is left of a command line once its options are taken out. */
typedef struct operand_list {
    const char **operand;
    int room, count;
} operand_list;

/* Set every value to its preset, its variable's value, or "not given". */
qs_status options_reset(const option_target *targets, size_t n, qs_error *err);

/* Read argv[0..argc) into the targets. Values and operands point into argv.
 * Errors  QS_E_ARG  unknown option (with the nearest names), value missing or out of range, too
 *                   many operands */
qs_status options_parse(const option_target *targets, size_t n, int argc, char **argv,
                        operand_list *operands, qs_error *err);

/* Every option of a table by name, with what was given for it, or null. */
json_t *options_json(const option *table, const void *from);

/* What an option takes: a value at all; one of a closed list; a name of a registry (NULL: not);
 * a file. */
int option_has_value(const option *o);
int option_is_closed(const option *o);
const char *option_registry(const option *o);
int option_names_files(const option *o);

#endif
