/* SPDX-License-Identifier: MIT */
/* progress.h - shows on stderr where a run is. */
#ifndef QS_CLI_PROGRESS_H
#define QS_CLI_PROGRESS_H

#include <pthread.h>

#include "quickstep/train.h"

typedef enum progress_mode {
    PROGRESS_NONE,  /* --quiet */
    PROGRESS_LINES, /* a plain line for each epoch */
    PROGRESS_BAR    /* and a bar that is redrawn, on a terminal */
} progress_mode;

typedef struct progress {
    progress_mode mode;
    int colour;
    const qs_run *run;
    pthread_t ticker;
    int ticking; /* the ticker runs */
    pthread_mutex_t lock;
    pthread_cond_t wake;
    int done;
    size_t epoch;   /* that `since` belongs to */
    double since;   /* when the first finished steps of the epoch were seen */
    size_t skipped; /* steps finished by then */
} progress;

/* Choose by --quiet, by whether stderr is a terminal, and by NO_COLOR. */
void progress_begin(progress *p, int quiet);
/* Start redrawing; the run must stay open until progress_end(). */
void progress_watch(progress *p, const qs_run *run);
/* Leave a line for a finished epoch. From the thread that trains. */
void progress_epoch(progress *p, const qs_epoch *epoch);
/* Stop redrawing and wipe the bar. Fine without progress_watch(). */
void progress_end(progress *p);

#endif
