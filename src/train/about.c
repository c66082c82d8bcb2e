/* SPDX-License-Identifier: MIT */
/* about.c - what the library tells about itself: its version, and every name that it knows. */
#include <string.h>

#include "data/source.h"
#include "format/format.h"
#include "nn/spec.h"
#include "quickstep/quickstep.h"

const char *qs_version(void)
{
    return QS_VERSION;
}

static int kind_entry(const qs_registry *registry, size_t index, qs_name_info *out)
{
    for (size_t i = 0; registry->kinds[i]; i++)
        if (i == index) {
            const qs_kind *kind = registry->kinds[i];
            *out = (qs_name_info){.name = kind->name, .keras = kind->keras, .help = kind->help};
            return 1;
        }
    return 0;
}

static int format_entry(size_t index, qs_name_info *out)
{
    for (size_t i = 0; qs_file_formats[i]; i++)
        if (i == index) {
            const qs_file_format *format = qs_file_formats[i];
            *out = (qs_name_info){.name = format->ending, .help = format->help};
            return 1;
        }
    return 0;
}

static int source_entry(size_t index, qs_name_info *out)
{
    for (size_t i = 0; qs_source_kinds[i]; i++)
        if (i == index) {
            const qs_source_kind *source = qs_source_kinds[i];
            *out = (qs_name_info){.name = source->form, .help = source->help};
            return 1;
        }
    return 0;
}

int qs_registry_entry(const char *name, size_t index, qs_name_info *out)
{
    const qs_registry *registry = qs_registry_find(name);
    if (registry)
        return kind_entry(registry, index, out);
    if (strcmp(name, "sources") == 0)
        return source_entry(index, out);
    return strcmp(name, "formats") == 0 ? format_entry(index, out) : 0;
}
