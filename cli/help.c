/* SPDX-License-Identifier: MIT */
/* help.c - what --help prints. */
#include "help.h"

#include <string.h>

#include "quickstep/model.h"
#include "quickstep/quickstep.h"

enum { WIDTH = 80, COLUMN = 26 };

const char *help_advice(qs_status status)
{
    switch (status) {
    case QS_E_NOMEM:
        return "a smaller --batch or model needs less";
    case QS_E_IO:
        return "check that the disk has space and the folder can be written";
    case QS_E_FORMAT:
        return "check the file, or make it again";
    case QS_E_MISSING:
        return "check the name and the folder";
    case QS_E_SHAPE:
        return "'quickstep info MODEL' shows the model's shapes";
    case QS_E_DATA:
        return "repair or remove these samples";
    case QS_E_NAN:
        return "try a smaller --lr or another --scale";
    case QS_E_DEVICE:
        return "try --device cpu";
    default:
        return "--help shows what can be given";
    }
}

const char *option_usage(const option *o, char *text)
{
    snprintf(text, OPTION_TEXT, "--%s%s%s%s", o->kind == OPT_SWITCH ? "[no-]" : "", o->name,
             o->operand ? " " : "", o->operand ? o->operand : "");
    return text;
}

/* Words from column `at` on, wrapped before WIDTH, later lines indented to COLUMN. */
static void wrap(FILE *out, size_t at, size_t indent, const char *text)
{
    while (*text) {
        const size_t word = strcspn(text, " ");
        if (at > indent && at + 1 + word > WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
        } else if (at > indent) {
            fputc(' ', out);
            at++;
        }
        fwrite(text, 1, word, out);
        at += word;
        text += word;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

/* "  term            text", the text on a line of its own where the term is long. */
static void row(FILE *out, const char *term, const char *text)
{
    const int n = fprintf(out, "  %s", term);
    if (n > COLUMN - 2)
        fprintf(out, "\n%*s", COLUMN, "");
    else
        fprintf(out, "%*s", COLUMN - n, "");
    wrap(out, COLUMN, COLUMN, text);
}

/* Help, then what can be given, then what stands in. */
static void option_row(FILE *out, const option *o)
{
    char usage[OPTION_TEXT], text[512];
    const char *registry = option_registry(o);
    size_t n = (size_t)snprintf(text, sizeof text, "%s", o->help);
    if (registry)
        n += (size_t)snprintf(text + n, sizeof text - n, " (quickstep help %s)", registry);
    if (option_is_closed(o))
        n += (size_t)snprintf(text + n, sizeof text - n, " (%s)", o->choices);
    if (o->preset)
        n += (size_t)snprintf(text + n, sizeof text - n, " [%s]", o->preset);
    if (o->env)
        snprintf(text + n, sizeof text - n, " [$%s]", o->env);
    row(out, option_usage(o, usage), text);
}

static void option_rows(FILE *out, const option *table)
{
    for (const option *o = table; o->kind != OPT_END; o++) {
        if (o->kind == OPT_HEADING)
            fprintf(out, "\n%s:\n", o->help);
        else
            option_row(out, o);
    }
}

/* Each line of `lines`, indented. */
static void indented(FILE *out, const char *lines)
{
    for (; *lines; lines += strcspn(lines, "\n"), lines += *lines == '\n')
        fprintf(out, "  %.*s\n", (int)strcspn(lines, "\n"), lines);
}

void help_command(const command *c, FILE *out)
{
    fprintf(out, "Usage: quickstep %s%s%s [options]\n\n", c->name, *c->operands ? " " : "",
            c->operands);
    wrap(out, 0, 0, c->summary);
    if (c->details) {
        fputc('\n', out);
        wrap(out, 0, 0, c->details);
    }
    if (c->options->kind != OPT_HEADING)
        fputs("\nOptions:\n", out);
    option_rows(out, c->options);
    if (c->options->kind == OPT_HEADING)
        fputs("\nGeneral:\n", out);
    option_rows(out, common_options);
    if (c->examples) {
        fputs("\nExamples:\n", out);
        indented(out, c->examples);
    }
}

void help_program(FILE *out)
{
    fprintf(out,
            "quickstep %s - train small neural networks fast, with Keras' numbers\n\n"
            "Usage: quickstep [COMMAND] [MODEL] [options]\n\nCommands:\n",
            qs_version());
    const command *c;
    for (size_t i = 0; (c = command_at(i)); i++)
        if (command_listed(c))
            row(out, c->name, c->summary);
    fputs("\nMODEL is a recipe (.yaml), a Keras file (.keras, .h5, .json) or a run's folder;\n"
          "without one it is the default network. Without a command it is trained.\n\n"
          "Start with:\n"
          "  quickstep train                     the default network on Fashion-MNIST\n"
          "  quickstep train --help              every option\n"
          "  quickstep help models|data|recipe|environment|exits\n"
          "  quickstep help layers|losses|optimizers|metrics|activations|schedules\n",
          out);
}

static int registry(const char *name, FILE *out)
{
    qs_name_info entry;
    size_t n = 0;
    for (; qs_registry_entry(name, n, &entry); n++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s%s%s", entry.help ? entry.help : "",
                 entry.keras ? " (Keras: " : "", entry.keras ? entry.keras : "",
                 entry.keras ? ")" : "");
        row(out, entry.name, text);
    }
    return n > 0;
}

int help_topic(const char *name, FILE *out)
{
    const topic *t;
    topic_row r;
    for (size_t i = 0; (t = topic_at(i)); i++)
        if (strcmp(t->name, name) == 0) {
            fprintf(out, "%s:\n", t->title);
            for (size_t k = 0; topic_row_at(t, k, &r); k++)
                row(out, r.term, r.text);
            return 1;
        }
    return registry(name, out);
}
