/* SPDX-License-Identifier: MIT */
/* cmd_devices.c - every device, and whether it can be used here. */
#include <stdio.h>

#include "command.h"
#include "quickstep/device.h"
#include "report.h"
#include "text.h"

typedef struct options {
    int profiles;
} options;

_Static_assert(sizeof(options) <= OPTIONS_BYTES, "raise OPTIONS_BYTES");

#define AT(field) offsetof(options, field)
static const option table[] = {
    {"profiles", OPT_FLAG, AT(profiles), .help = "List the device profiles, too"},
    {0},
};
#undef AT

static json_t *device_json(const qs_device_info *d)
{
    json_t *out = json_object();
    json_object_set_new(out, "name", json_text(d->name));
    json_object_set_new(out, "usable", json_boolean(d->usable));
    json_object_set_new(out, "why", json_text(d->usable ? NULL : d->why));
    json_object_set_new(out, "description", json_text(d->description));
    json_object_set_new(out, "rung", json_text(d->rung));
    json_object_set_new(out, "threads", d->threads ? json_integer(d->threads) : json_null());
    json_object_set_new(out, "memory_bytes",
                        d->memory_bytes ? json_count(d->memory_bytes) : json_null());
    return out;
}

static void print_device(const qs_device_info *d)
{
    char memory[TEXT_BYTES] = "";
    if (d->memory_bytes)
        text_bytes((double)d->memory_bytes, memory);
    printf("%-10s %-6s %s", d->name, d->usable ? "usable" : "no", d->description);
    if (d->usable)
        printf(", %d threads, %s, %s\n", d->threads, d->rung ? d->rung : "-", memory);
    else
        printf(": %s\n", d->why ? d->why : "unknown reason");
}

static qs_status run(const invocation *in, json_t *result, qs_error *err)
{
    const options *o = in->options;
    json_t *list = json_array();
    json_object_set_new(result, "devices", list);
    for (int i = 0; i < qs_device_count(); i++) {
        qs_device_info device;
        const qs_status s = qs_device_describe(i, &device, err);
        if (s != QS_OK)
            return s;
        json_array_append_new(list, device_json(&device));
        if (!in->json)
            print_device(&device);
    }
    if (o->profiles) {
        json_object_set_new(result, "profiles", json_array());
        if (!in->json && !in->quiet)
            fputs("no device profiles\n", stderr);
    }
    return QS_OK;
}

const command command_devices = {
    .name = "devices",
    .operands = "",
    .summary = "List the devices, and why one cannot be used",
    .examples = "quickstep devices\nquickstep devices --json",
    .options = table,
    .run = run,
};
