/* SPDX-License-Identifier: MIT */
/* csv.c - a table in a text file, packed by gzip or not. */
#include "data/csv.h"

#include <string.h>

#include "data/spec_text.h"

#define LABEL "label="

static size_t file_part(const char *spec, const char **after)
{
    static const char *const ends[] = {".csv", ".csv.gz", ".tsv", ".tsv.gz"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t n = qs_spec_file(spec, ends[i], after);
        if (n > 0)
            return n;
    }
    return 0;
}

static bool match(const char *spec)
{
    const char *after;
    return file_part(spec, &after) > 0;
}

static qs_status open_file(const char *spec, qs_store *store, qs_parts *out, qs_error *err)
{
    const char *after;
    const unsigned char *bytes;
    size_t n = file_part(spec, &after);
    if (*after && strncmp(after, LABEL, strlen(LABEL)) != 0)
        return qs_fail(err, QS_E_ARG, "'%s' after the file must be label=COLUMN", after);
    const char *const path = qs_spec_copy(&store->arena, spec, n);
    if (!path)
        return qs_fail_memory(err, (double)n, "a data spec");
    QS_TRY(qs_store_read(store, path, &bytes, &n, err));
    const char *const label = *after ? after + strlen(LABEL) : NULL;
    const qs_status status = qs_csv_parse((const char *)bytes, n, label, store, out, err);
    qs_store_drop(store, bytes);
    return qs_context(err, status, "%s", path);
}

const qs_source_kind qs_source_csv = {
    .name = "csv",
    .form = "FILE.csv[:label=COLUMN]",
    .help = "a table of numbers; the label is a column by name or number, else the last one",
    .match = match,
    .open = open_file,
};
