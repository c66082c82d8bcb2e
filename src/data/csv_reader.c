/* SPDX-License-Identifier: MIT */
/* csv_reader.c - cuts text into records and fields. */
#include <string.h>

#include "base/number.h"
#include "data/csv.h"

static bool is_end(char c)
{
    return c == '\n' || c == '\r';
}

/* The one of , ; tab that the first line has most of. */
static char find_delimiter(const char *text, const char *end)
{
    size_t count[3] = {0};
    bool quoted = false;
    static const char all[] = {',', ';', '\t'};
    for (; text < end && (quoted || !is_end(*text)); text++) {
        quoted ^= *text == '"';
        for (size_t i = 0; i < 3; i++)
            count[i] += !quoted && *text == all[i];
    }
    size_t best = 0;
    for (size_t i = 1; i < 3; i++)
        if (count[i] > count[best])
            best = i;
    return all[best];
}

void qs_csv_start(qs_csv_reader *reader, const char *text, size_t n)
{
    const bool mark = n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
    *reader = (qs_csv_reader){.at = text + (mark ? 3 : 0), .end = text + n, .line = 1};
    qs_csv_more(reader);
    reader->delimiter = find_delimiter(reader->at, reader->end);
}

static void skip_spaces(qs_csv_reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || (*r->at == '\t' && r->delimiter != '\t')))
        r->at++;
}

/* At the end of a line: move behind it; CR LF counts as one. */
static void skip_end(qs_csv_reader *r)
{
    if (r->end - r->at >= 2 && r->at[0] == '\r' && r->at[1] == '\n')
        r->at++;
    r->at++;
    r->line++;
}

bool qs_csv_more(qs_csv_reader *r)
{
    for (;;) {
        const char *const begin = r->at;
        skip_spaces(r);
        if (r->at == r->end)
            return false;
        if (!is_end(*r->at)) {
            r->at = begin;
            return true;
        }
        skip_end(r);
    }
}

static qs_status read_quoted(qs_csv_reader *r, qs_csv_field *out, qs_error *err)
{
    const size_t line = r->line;
    const char *const begin = ++r->at;
    for (; r->at < r->end; r->at++) {
        if (*r->at == '"' && (r->at + 1 == r->end || r->at[1] != '"'))
            break;
        r->at += *r->at == '"';
        r->line += *r->at == '\n';
    }
    if (r->at >= r->end)
        return qs_fail(err, QS_E_FORMAT, "line %zu: a quote is opened and never closed", line);
    *out = (qs_csv_field){begin, (size_t)(r->at - begin), true};
    r->at++;
    skip_spaces(r);
    if (r->at < r->end && *r->at != r->delimiter && !is_end(*r->at))
        return qs_fail(err, QS_E_FORMAT, "line %zu: text follows a closing quote", r->line);
    return QS_OK;
}

static void read_plain(qs_csv_reader *r, qs_csv_field *out)
{
    const char *const begin = r->at;
    while (r->at < r->end && *r->at != r->delimiter && !is_end(*r->at))
        r->at++;
    const char *after = r->at;
    while (after > begin && (after[-1] == ' ' || after[-1] == '\t'))
        after--;
    *out = (qs_csv_field){begin, (size_t)(after - begin), false};
}

qs_status qs_csv_next(qs_csv_reader *r, qs_csv_field *out, bool *last, qs_error *err)
{
    skip_spaces(r);
    if (r->at < r->end && *r->at == '"')
        QS_TRY(read_quoted(r, out, err));
    else
        read_plain(r, out);
    *last = r->at == r->end || is_end(*r->at);
    if (!*last)
        r->at++;
    else if (r->at < r->end)
        skip_end(r);
    return QS_OK;
}

bool qs_csv_is(const qs_csv_field *field, const char *text)
{
    return strlen(text) == field->n && memcmp(field->text, text, field->n) == 0;
}

bool qs_csv_number(const qs_csv_field *field, double *out)
{
    return qs_number_parse(field->text, field->n, out);
}

const char *qs_csv_copy(qs_arena *arena, const qs_csv_field *field)
{
    char *const copy = qs_arena_alloc(arena, field->n + 1, 1);
    size_t n = 0;
    for (size_t i = 0; copy && i < field->n; i++) {
        copy[n++] = field->text[i];
        i += field->quoted && field->text[i] == '"';
    }
    return copy;
}
