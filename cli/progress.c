/* SPDX-License-Identifier: MIT */
/* progress.c - shows on stderr where a run is: a bar on a terminal, else a line for each epoch. */
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "text.h"

enum { LEAST_BAR = 8, MOST_BAR = 24, LINE = 512, TICK_MS = 100 };

#define WIPE "\r\x1b[K"

static progress_mode choose(int quiet)
{
    const char *term = getenv("TERM");
    if (quiet)
        return PROGRESS_NONE;
    if (!isatty(STDERR_FILENO) || (term && strcmp(term, "dumb") == 0))
        return PROGRESS_LINES;
    return PROGRESS_BAR;
}

void progress_begin(progress *p, int quiet)
{
    const char *no_color = getenv("NO_COLOR");
    *p = (progress){.mode = choose(quiet)};
    p->colour = p->mode == PROGRESS_BAR && !(no_color && *no_color);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->wake, NULL);
}

static size_t add_scores(char *line, size_t used, const char *prefix, const qs_scores *s)
{
    used += (size_t)snprintf(line + used, LINE - used, "  %sloss %.4f", prefix, s->loss);
    for (int i = 0; i < s->metrics && used < LINE; i++)
        used += (size_t)snprintf(line + used, LINE - used, "  %s%s %.4f", prefix, s->name[i],
                                 s->value[i]);
    return used < LINE ? used : LINE - 1;
}

/* Steps done are only known from when the ticker looks, so rates count from the first look. */
static double steps_per_second(progress *p, const qs_progress *now)
{
    const double t = clock_now();
    if (now->epoch != p->epoch || now->step < p->skipped) {
        p->epoch = now->epoch;
        p->since = t;
        p->skipped = now->step;
    }
    const double seconds = t - p->since;
    return seconds > 0.15 ? (double)(now->step - p->skipped) / seconds : 0;
}

static size_t add_speed(progress *p, char *line, size_t used, const qs_progress *now)
{
    char count[TEXT_BYTES], left[TEXT_BYTES];
    const double rate = steps_per_second(p, now);
    if (rate <= 0 || !now->step || !now->samples)
        return used;
    const double samples = rate * (double)now->samples / (double)now->step;
    const double steps =
        (double)(now->epochs > now->epoch ? now->epochs - now->epoch : 0) * (double)now->steps +
        (double)(now->steps > now->step ? now->steps - now->step : 0);
    used +=
        (size_t)snprintf(line + used, LINE - used, "  %s/s  %s left",
                         text_count((uint64_t)samples, count), text_seconds(steps / rate, left));
    return used < LINE ? used : LINE - 1;
}

static size_t terminal_width(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

/* As long as the rest of the line leaves room. */
static void make_bar(const qs_progress *now, size_t room, char bar[MOST_BAR + 1])
{
    const size_t length = room > MOST_BAR ? MOST_BAR : room < LEAST_BAR ? LEAST_BAR : room;
    const size_t done = now->steps ? now->step * length / now->steps : 0;
    memset(bar, '-', length);
    memset(bar, '#', done < length ? done : length);
    bar[length] = '\0';
}

static void add_state(progress *p, char *line, const qs_progress *now)
{
    const size_t used = (size_t)snprintf(line, LINE, " %zu/%zu", now->step, now->steps);
    qs_scores scores = {.loss = now->loss, .metrics = now->metrics};
    memcpy(scores.name, now->name, sizeof scores.name);
    memcpy(scores.value, now->value, sizeof scores.value);
    if (now->evaluating)
        snprintf(line + used, LINE - used, "  validating");
    else if (now->step)
        add_speed(p, line, add_scores(line, used, "", &scores), now);
}

static void draw(progress *p)
{
    qs_progress now = {0};
    char head[TEXT_BYTES], bar[MOST_BAR + 1], state[LINE];
    qs_run_progress(p->run, &now);
    if (!now.epoch)
        return;
    snprintf(head, sizeof head, "epoch %zu/%zu ", now.epoch, now.epochs);
    add_state(p, state, &now);
    const size_t width = terminal_width() - 1, fixed = strlen(head) + strlen("[]");
    const size_t whole = fixed + strlen(state);
    make_bar(&now, width > whole ? width - whole : 0, bar);
    const size_t left = width > fixed + strlen(bar) ? width - fixed - strlen(bar) : 0;
    fprintf(stderr, WIPE "%s%s[%s]%s%.*s", head, p->colour ? "\x1b[32m" : "", bar,
            p->colour ? "\x1b[0m" : "", (int)left, state);
    fflush(stderr);
}

static void *tick(void *self)
{
    progress *p = self;
    pthread_mutex_lock(&p->lock);
    while (!p->done) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += TICK_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&p->wake, &p->lock, &until);
        if (!p->done)
            draw(p);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

void progress_watch(progress *p, const qs_run *run)
{
    p->run = run;
    p->ticking = p->mode == PROGRESS_BAR && pthread_create(&p->ticker, NULL, tick, p) == 0;
}

static void print_epoch(const qs_epoch *e, size_t epochs)
{
    char line[LINE], seconds[TEXT_BYTES], rate[TEXT_BYTES];
    size_t used = epochs ? (size_t)snprintf(line, LINE, "epoch %zu/%zu", e->epoch, epochs)
                         : (size_t)snprintf(line, LINE, "epoch %zu", e->epoch);
    used = add_scores(line, used, "", &e->train);
    if (e->has_valid)
        used = add_scores(line, used, "val_", &e->valid);
    const double speed = e->seconds > 0 ? (double)e->train.samples / e->seconds : 0;
    snprintf(line + used, LINE - used, "  %s  %s samples/s", text_seconds(e->seconds, seconds),
             text_count((uint64_t)speed, rate));
    fprintf(stderr, "%s\n", line);
}

void progress_epoch(progress *p, const qs_epoch *epoch)
{
    if (p->mode == PROGRESS_NONE)
        return;
    qs_progress now = {0};
    if (p->run)
        qs_run_progress(p->run, &now);
    pthread_mutex_lock(&p->lock);
    if (p->ticking)
        fputs(WIPE, stderr);
    print_epoch(epoch, now.epochs);
    pthread_mutex_unlock(&p->lock);
}

void progress_end(progress *p)
{
    if (p->ticking) {
        pthread_mutex_lock(&p->lock);
        p->done = 1;
        pthread_cond_signal(&p->wake);
        pthread_mutex_unlock(&p->lock);
        pthread_join(p->ticker, NULL);
        fputs(WIPE, stderr);
        p->ticking = 0;
    }
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->wake);
}
