/* SPDX-License-Identifier: MIT */
/* format.c - the list of formats, and which one a file is. */
#include "format/format.h"

#include <string.h>

#define QS_FORMAT(name) extern const qs_file_format qs_file_format_##name;
#include "format/formats.def"
#undef QS_FORMAT

const qs_file_format *const qs_file_formats[] = {
#define QS_FORMAT(name) &qs_file_format_##name,
#include "format/formats.def"
#undef QS_FORMAT
    NULL,
};

static size_t match(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = ending ? strlen(ending) : 0;
    return m && n > m && !strcmp(path + n - m, ending) ? m : 0;
}

const qs_file_format *qs_file_format_of(const char *path)
{
    const qs_file_format *best = NULL;
    size_t longest = 0;
    for (const qs_file_format *const *format = qs_file_formats; *format; format++) {
        size_t n = match(path, (*format)->ending);
        if (!n)
            n = match(path, (*format)->also);
        if (n > longest) {
            longest = n;
            best = *format;
        }
    }
    return best;
}

/* What the first bytes of well-known files are, and which formats here begin like that. */
static const struct {
    const char *magic, *formats, *hint;
} known[] = {
    {"PK\3\4", " keras npz ", " (it looks like a zip archive, as .keras and .npz are)"},
    {"\211HDF", " h5 weights_h5 ", " (it looks like an HDF5 file, as .h5 and .weights.h5 are)"},
    {"\223NUMPY", "", " (it looks like a NumPy array: that is data, not a model)"},
    {"\37\213", "", " (it looks like a gzip file: unpack it first)"},
    {"\211PNG", "", " (it looks like a picture)"},
    {"\177ELF", "", " (it looks like a program)"},
    {"{", " json recipe ", " (it looks like JSON)"},
};

const char *qs_file_hint(const qs_file_format *format, const unsigned char *bytes, size_t n)
{
    if (!n)
        return " (the file is empty)";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t m = strlen(known[i].magic);
        if (n < m || memcmp(bytes, known[i].magic, m))
            continue;
        const char *at = strstr(known[i].formats, format->name);
        const bool own = at && at[-1] == ' ' && at[strlen(format->name)] == ' ';
        return own ? "" : known[i].hint;
    }
    return "";
}
