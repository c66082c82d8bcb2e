/* SPDX-License-Identifier: MIT */
/* man.c - the man page, from the tables that also make --help. */
#include <string.h>

#include "help.h"
#include "quickstep/quickstep.h"

/* Text with roff's special characters made plain. */
static void plain(FILE *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", out);
    for (; *text; text++) {
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else if (*text == '~')
            fputs("\\(ti", out);
        else
            fputc(*text, out);
    }
}

static void line(FILE *out, const char *macro, const char *text)
{
    fprintf(out, "%s\n", macro);
    plain(out, text);
    fputc('\n', out);
}

static void section(FILE *out, const char *title)
{
    fputs(".SH \"", out);
    for (; *title; title++)
        fputc(*title >= 'a' && *title <= 'z' ? *title - 'a' + 'A' : *title, out);
    fputs("\"\n", out);
}

static void option_entry(FILE *out, const option *o)
{
    char usage[OPTION_TEXT];
    fputs(".TP\n.B ", out);
    plain(out, option_usage(o, usage));
    fputc('\n', out);
    plain(out, o->help);
    fputc('.', out);
    if (option_is_closed(o)) {
        fputs(" One of ", out);
        plain(out, o->choices);
        fputc('.', out);
    }
    if (o->preset) {
        fputs(" Default: ", out);
        plain(out, o->preset);
        fputc('.', out);
    }
    if (o->env)
        fprintf(out, " Environment: %s.", o->env);
    fputc('\n', out);
}

static void option_entries(FILE *out, const option *table)
{
    for (const option *o = table; o->kind != OPT_END; o++) {
        if (o->kind == OPT_HEADING)
            line(out, ".PP\n.I", o->help);
        else
            option_entry(out, o);
    }
}

static void example_block(FILE *out, const char *lines)
{
    fputs(".PP\n.nf\n.RS\n", out);
    for (; *lines; lines += strcspn(lines, "\n"), lines += *lines == '\n') {
        char text[256];
        snprintf(text, sizeof text, "%.*s", (int)strcspn(lines, "\n"), lines);
        plain(out, text);
        fputc('\n', out);
    }
    fputs(".RE\n.fi\n", out);
}

static void command_entry(FILE *out, const command *c)
{
    char usage[128];
    snprintf(usage, sizeof usage, "quickstep %s %s", c->name, c->operands);
    line(out, ".SS", usage);
    plain(out, c->summary);
    fputs(".\n", out);
    if (c->details)
        line(out, ".PP", c->details);
    option_entries(out, c->options);
    if (c->examples)
        example_block(out, c->examples);
}

static void command_entries(FILE *out)
{
    const command *c;
    for (size_t i = 0; (c = command_at(i)); i++)
        if (command_listed(c))
            command_entry(out, c);
}

static void topic_entry(FILE *out, const topic *t)
{
    section(out, t->title);
    topic_row r;
    for (size_t i = 0; topic_row_at(t, i, &r); i++) {
        fputs(".TP\n.B ", out);
        plain(out, r.term);
        fputc('\n', out);
        plain(out, r.text);
        fputc('\n', out);
    }
}

void help_man(FILE *out)
{
    fprintf(out, ".TH QUICKSTEP 1 \"\" \"quickstep %s\" \"User Commands\"\n", qs_version());
    fputs(".SH NAME\nquickstep \\- train small neural networks fast, with Keras' numbers\n"
          ".SH SYNOPSIS\n.B quickstep\n[\\fICOMMAND\\fR] [\\fIMODEL\\fR] [\\fIoptions\\fR]\n"
          ".SH DESCRIPTION\nquickstep trains, evaluates and converts small neural networks. "
          "Without a command the model is trained; without a model it is the default network.\n"
          "Results go to standard output, progress and remarks to standard error. Options may "
          "stand anywhere; \\-\\- ends them.\n",
          out);
    section(out, "Commands");
    command_entries(out);
    section(out, "Options of every command");
    option_entries(out, common_options);
    const topic *t;
    for (size_t i = 0; (t = topic_at(i)); i++)
        topic_entry(out, t);
}
