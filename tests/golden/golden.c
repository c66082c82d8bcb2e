/* SPDX-License-Identifier: MIT */
/* golden.c - replay every recorded Keras fixture through the public interface; prints TAP.
 *
 * usage: golden [--threads N] [--only TEXT]
 * Each case runs in a process of its own, so that one crash is one failure.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "replay.h"

typedef struct plan {
    char root[400];
    int threads;
    const char *only; /* part of the wanted cases' names, or NULL */
    int number, failed;
} plan;

/* One case: a fixture, and the file of a trained model or NULL to train it. */
typedef struct job {
    const char *fixture, *file;
    source from;
} job;

static void label(const job *j, char *out, size_t room)
{
    const char *how = j->file ? j->file : j->from == FROM_KERAS ? "start.keras" : "model.json";
    snprintf(out, room, "%s/%s", j->fixture, how);
}

static void report(const plan *p, const char *name, const verdict *v)
{
    if (v->skipped)
        printf("ok %d - %s # SKIP %s\n", p->number, name, v->reason);
    else if (v->failed)
        printf("not ok %d - %s\n  ---\n  reason: \"%s\"\n  ...\n", p->number, name, v->reason);
    else
        printf("ok %d - %s\n# worst ratio %.3f in %s\n", p->number, name, v->worst, v->worst_at);
}

/* In the child: 0 when the case passed or was skipped. */
static int run_job(const plan *p, const job *j, const char *name)
{
    fixture f;
    verdict v = {0};
    if (!fixture_open(p->root, j->fixture, &f))
        verdict_fail(&v, "the fixture cannot be read");
    else if (j->file)
        replay_file(&f, j->file, p->threads, &v);
    else
        replay_fixture(&f, j->from, p->threads, &v);
    fixture_close(&f);
    report(p, name, &v);
    fflush(stdout);
    return v.failed;
}

static void run(plan *p, const job *j)
{
    char name[200];
    int status;
    label(j, name, sizeof name);
    if (p->only && !strstr(name, p->only))
        return;
    p->number++;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
        exit(run_job(p, j, name));
    if (child < 0 || waitpid(child, &status, 0) < 0) {
        printf("not ok %d - %s: no process for it\n", p->number, name);
        p->failed++;
    } else if (WIFSIGNALED(status)) {
        printf("not ok %d - %s: died of signal %d\n", p->number, name, WTERMSIG(status));
        p->failed++;
    } else {
        p->failed += WEXITSTATUS(status) != 0;
    }
}

static void run_index(plan *p, const json_t *index)
{
    for (size_t i = 0; i < json_array_size(index); i++) {
        const json_t *name = json_object_get(json_array_get(index, i), "name");
        run(p, &(job){json_string_value(name), NULL, FROM_KERAS});
        run(p, &(job){json_string_value(name), NULL, FROM_JSON});
    }
}

static void run_files(plan *p)
{
    static const char *const folders[] = {"interop/mlp", "interop/lenet", "interop/lstm"};
    static const char *const files[] = {"model.keras", "model.h5", "model.weights.h5"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        for (size_t k = 0; k < sizeof files / sizeof *files; k++)
            run(p, &(job){folders[i], files[k], FROM_KERAS});
}

static void read_arguments(plan *p, int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--threads") == 0)
            p->threads = (int)strtol(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--only") == 0)
            p->only = argv[i + 1];
    }
}

int main(int argc, char **argv)
{
    plan p = {.threads = 1};
    char path[500];
    read_arguments(&p, argc, argv);
    fixture_root(p.root, sizeof p.root);
    snprintf(path, sizeof path, "%s/index.json", p.root);
    json_t *index = json_load_file(path, 0, NULL);
    if (!index) {
        printf("1..0 # SKIP no fixtures in %s; set QS_SHARED\n", p.root);
        return 0;
    }
    run_index(&p, index);
    run(&p, &(job){"legacy/nadam_legacy", NULL, FROM_JSON});
    run_files(&p);
    json_decref(index);
    printf("1..%d\n", p.number);
    return p.failed > 0;
}
