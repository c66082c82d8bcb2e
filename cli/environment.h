/* SPDX-License-Identifier: MIT */
/* environment.h - what a run ran on, for its record. */
#ifndef QS_CLI_ENVIRONMENT_H
#define QS_CLI_ENVIRONMENT_H

#include <jansson.h>

/* Machine, system, folder, and the variables that quickstep reads. */
json_t *environment_json(void);
/* Of the program, the library and what it was built with. */
json_t *versions_json(void);
/* The most memory that this process has had in use. */
size_t environment_peak_bytes(void);

#endif
