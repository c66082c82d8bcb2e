/* SPDX-License-Identifier: MIT */
/* complete.c - completion scripts for shells, from the option tables. */
#include <string.h>

#include "help.h"
#include "quickstep/model.h"

typedef void name_writer(FILE *out, const char *name);

/* Every value that an option's choices name: a literal list, or a registry. */
static void each_choice(FILE *out, const option *o, name_writer *write)
{
    const char *list = option_registry(o);
    qs_name_info entry;
    for (size_t i = 0; list && qs_registry_entry(list, i, &entry); i++)
        write(out, entry.name);
    list = option_is_closed(o) ? o->choices : "";
    for (; *list; list += strcspn(list, "|"), list += *list == '|') {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(list, "|"), list);
        write(out, name);
    }
}

static void word(FILE *out, const char *name)
{
    fprintf(out, " %s", name);
}

/* " --a --b --no-b" */
static void option_words(FILE *out, const option *table)
{
    for (const option *o = table; o->kind != OPT_END; o++) {
        if (!o->name)
            continue;
        fprintf(out, " --%s", o->name);
        if (o->kind == OPT_SWITCH)
            fprintf(out, " --no-%s", o->name);
    }
}

static void bash_values(FILE *out, const command *c, const option *o)
{
    if (!option_has_value(o))
        return;
    fprintf(out, "    %s,--%s) ", c->name, o->name);
    if (o->choices && !option_names_files(o)) {
        fputs("words=\"", out);
        each_choice(out, o, word);
        fputs("\" ;;\n", out);
    } else {
        fputs(option_names_files(o) ? "files=1 ;;\n" : ";;\n", out);
    }
}

static void command_names(FILE *out)
{
    const command *c;
    for (size_t i = 0; (c = command_at(i)); i++)
        fprintf(out, " %s", c->name);
}

static void bash(FILE *out)
{
    const command *c;
    fputs("# bash completion for quickstep\n_quickstep()\n{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local verb=${COMP_WORDS[1]} words= files=\n"
          "    if [[ $COMP_CWORD == 1 ]]; then\n        words=\"",
          out);
    command_names(out);
    fputs(" --help --version\"; files=1\n    else\n    case $verb,$prev in\n", out);
    for (size_t i = 0; (c = command_at(i)); i++)
        for (const option *o = c->options; o->kind != OPT_END; o++)
            bash_values(out, c, o);
    fputs("    *) files=1\n    case $verb in\n", out);
    for (size_t i = 0; (c = command_at(i)); i++) {
        fprintf(out, "    %s) words=\"", c->name);
        option_words(out, c->options);
        option_words(out, common_options);
        fputs("\" ;;\n", out);
    }
    fputs("    esac ;;\n    esac\n    fi\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "    [[ $files ]] && COMPREPLY+=($(compgen -f -- \"$cur\"))\n}\n"
          "complete -o filenames -F _quickstep quickstep\n",
          out);
}

/* Help inside a single-quoted zsh or fish string. */
static void quoted(FILE *out, const char *text, const char *special)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", out);
        else if (strchr(special, *text))
            fprintf(out, "\\%c", *text);
        else
            fputc(*text, out);
    }
}

static void zsh_option(FILE *out, const option *o)
{
    fprintf(out, " \\\n      '--%s", o->name);
    fputs(option_has_value(o) ? "=[" : "[", out);
    quoted(out, o->help, "[]:\\");
    fputc(']', out);
    if (option_has_value(o)) {
        fputc(':', out);
        quoted(out, o->operand, "[]:\\");
        fputc(':', out);
        if (option_names_files(o))
            fputs("_files", out);
        else if (o->choices) {
            fputc('(', out);
            each_choice(out, o, word);
            fputc(')', out);
        }
    }
    fputc('\'', out);
    if (o->kind == OPT_SWITCH)
        fprintf(out, " \\\n      '--no-%s'", o->name);
}

static void zsh_options(FILE *out, const option *table)
{
    for (const option *o = table; o->kind != OPT_END; o++)
        if (o->name)
            zsh_option(out, o);
}

static void zsh(FILE *out)
{
    const command *c;
    fputs("#compdef quickstep\n_quickstep() {\n  local -a verbs=(", out);
    for (size_t i = 0; (c = command_at(i)); i++) {
        fprintf(out, "\n    '%s:", c->name);
        quoted(out, c->summary, ":");
        fputc('\'', out);
    }
    fputs(")\n  if (( CURRENT == 2 )); then _describe command verbs; _files; return; fi\n"
          "  local verb=$words[2]\n  shift words; (( CURRENT-- ))\n  case $verb in\n",
          out);
    for (size_t i = 0; (c = command_at(i)); i++) {
        fprintf(out, "    %s) _arguments", c->name);
        zsh_options(out, c->options);
        zsh_options(out, common_options);
        fputs(" \\\n      '*:file:_files' ;;\n", out);
    }
    fputs("  esac\n}\n_quickstep \"$@\"\n", out);
}

static void fish_option(FILE *out, const command *c, const option *o)
{
    fprintf(out, "complete -c quickstep -n '__fish_seen_subcommand_from %s' -l %s -d '", c->name,
            o->name);
    quoted(out, o->help, "\\");
    fputc('\'', out);
    if (option_has_value(o))
        fputs(option_names_files(o) ? " -r" : " -x", out);
    if (option_has_value(o) && o->choices && !option_names_files(o)) {
        fputs(" -a '", out);
        each_choice(out, o, word);
        fputc('\'', out);
    }
    fputc('\n', out);
    if (o->kind == OPT_SWITCH)
        fprintf(out, "complete -c quickstep -n '__fish_seen_subcommand_from %s' -l no-%s\n",
                c->name, o->name);
}

static void fish_options(FILE *out, const command *c, const option *table)
{
    for (const option *o = table; o->kind != OPT_END; o++)
        if (o->name)
            fish_option(out, c, o);
}

static void fish(FILE *out)
{
    const command *c;
    fputs("# fish completion for quickstep\n", out);
    for (size_t i = 0; (c = command_at(i)); i++) {
        fprintf(out, "complete -c quickstep -n __fish_use_subcommand -a %s -d '", c->name);
        quoted(out, c->summary, "\\");
        fputs("'\n", out);
        fish_options(out, c, c->options);
        fish_options(out, c, common_options);
    }
}

int help_completion(const char *shell, FILE *out)
{
    static const struct {
        const char *name;
        void (*write)(FILE *);
    } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shells[i].name, shell) == 0)
            return shells[i].write(out), 1;
    return 0;
}
