/* SPDX-License-Identifier: MIT */
/* settings.c - what stands in for options that were not given: an earlier run, then the model. */
#include "settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "text.h"

static int is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

void settings_open(settings *s, const char *path)
{
    char file[4096];
    *s = (settings){0};
    if (!path)
        return;
    const char *slash = strrchr(path, '/');
    int n = -1;
    if (is_folder(path))
        n = snprintf(file, sizeof file, "%s/run.json", path);
    else if (strcmp(text_ending(path), ".keras") == 0)
        n = snprintf(file, sizeof file, "%.*srun.json", slash ? (int)(slash - path) + 1 : 0, path);
    if (n < 0 || (size_t)n >= sizeof file)
        return;
    json_t *record = json_load_file(file, 0, NULL);
    s->run = json_incref(json_object_get(record, "settings"));
    json_decref(record);
}

void settings_close(settings *s)
{
    json_decref(s->run);
    s->run = NULL;
}

const char *settings_text(const settings *s, const char *given, const char *key)
{
    if (given)
        return given;
    const json_t *run = json_object_get(s->run, key);
    if (run)
        return json_string_value(run);
    return s->model ? qs_model_setting(s->model, key) : NULL;
}

double settings_number(const settings *s, double given, const char *key)
{
    double value;
    if (isfinite(given) && given >= 0)
        return given;
    const json_t *run = json_object_get(s->run, key);
    if (run)
        return json_is_number(run) ? json_number_value(run) : (double)NAN;
    const char *text = s->model ? qs_model_setting(s->model, key) : NULL;
    return text && number_parse(text, &value) ? value : (double)NAN;
}
