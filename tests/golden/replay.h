/* SPDX-License-Identifier: MIT */
/* replay.h - do with the library what Keras did, and compare. */
#ifndef GOLDEN_REPLAY_H
#define GOLDEN_REPLAY_H

#include "fixture.h"
#include "verdict.h"

/* Where model and settings come from. */
typedef enum source {
    FROM_KERAS, /* start.keras: everything from the archive */
    FROM_JSON   /* model.json, init.npz, and settings as on the command line */
} source;

void replay_fixture(const fixture *f, source from, int threads, verdict *v);

/* A trained model in one of Keras' files: outputs, loss, and one more epoch from its state. */
void replay_file(const fixture *f, const char *file, int threads, verdict *v);

#endif
