/* SPDX-License-Identifier: MIT */
/* help.h - what --help prints, and the topics behind it. */
#ifndef QS_CLI_HELP_H
#define QS_CLI_HELP_H

#include <stdio.h>

#include "command.h"

/* Something that several commands share: how to name a model, a data set, … */
typedef struct topic_row {
    const char *term, *text;
} topic_row;

typedef struct topic {
    const char *name, *title;
    const char *registry;  /* whose entries come first; NULL: none */
    const topic_row *rows; /* ends with a NULL term */
} topic;

/* The rows of a topic, those of its registry first; 0 past the end. Texts of `out` are borrowed. */
int topic_row_at(const topic *t, size_t index, topic_row *out);

/* In the order of the man page; NULL past the end. */
const topic *topic_at(size_t index);

void help_program(FILE *out);
void help_command(const command *c, FILE *out);
/* A topic or a registry by name; 0 where there is none. */
int help_topic(const char *name, FILE *out);

/* What to do about a failure whose text does not say. */
const char *help_advice(qs_status status);

/* "--data SPEC", "--[no-]shuffle"; returns text. */
enum { OPTION_TEXT = 80 };
const char *option_usage(const option *o, char *text);

/* The whole man page in man(7). */
void help_man(FILE *out);
/* A completion script; 0 where the shell is unknown. */
int help_completion(const char *shell, FILE *out);

#endif
