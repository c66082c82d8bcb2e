/* SPDX-License-Identifier: MIT */
/* workshop.h - a folder with one file of each kind, made before anything is refused. */
#ifndef QS_TESTS_TORTURE_WORKSHOP_H
#define QS_TESTS_TORTURE_WORKSHOP_H

#include "torture.h"

/* All kinds of layers, and settings for all that a file can hold; 4 classes of [2, 6] samples. */
extern const char workshop_recipe[];

void workshop_open(void);
void workshop_close(void);

/* The model of workshop_recipe, trained for one step, with the optimizer's state. */
qs_model *workshop_model(void);

/* 20 samples of [2, 6] in 4 classes. */
qs_data *workshop_data(void);

#endif
