/* SPDX-License-Identifier: MIT */
/* settings.h - what stands in for options that were not given: an earlier run, then the model. */
#ifndef QS_CLI_SETTINGS_H
#define QS_CLI_SETTINGS_H

#include <jansson.h>

#include "quickstep/model.h"

typedef struct settings {
    const qs_model *model; /* borrowed; its recipe or compile state. NULL: none */
    json_t *run;           /* owned; "settings" of an earlier run's run.json. NULL: none */
} settings;

/* Read the run.json that belongs to a model file or a run's folder, where there is one. */
void settings_open(settings *s, const char *path);
void settings_close(settings *s);

/* `given` where it is not NULL, then the run's (which may be that nobody said), then the model's;
 * NULL: nobody says. Keys are those of qs_model_setting(). Texts live as long as what they come
 * from. */
const char *settings_text(const settings *s, const char *given, const char *key);

/* The same for numbers. `given` counts where it is finite and not negative; NaN: nobody says. */
double settings_number(const settings *s, double given, const char *key);

#endif
