/* SPDX-License-Identifier: MIT */
/* tensorboard.c - event files: length-prefixed records with checksums, each a protocol buffer. */
#include "tensorboard.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "report.h"

enum { EVENT = 512, PATH = 4096 };

/* A message that is being written; `n` may pass EVENT, and nothing is written beyond. */
typedef struct message {
    unsigned char bytes[EVENT];
    size_t n;
} message;

/* Numbers of fields in TensorFlow's event.proto and summary.proto, and their wire types. */
enum { VARINT, FIXED64, BYTES, FIXED32 = 5 };
enum { EVENT_WALL_TIME = 1, EVENT_STEP, EVENT_FILE_VERSION, EVENT_SUMMARY = 5 };
enum { SUMMARY_VALUE = 1, VALUE_TAG = 1, VALUE_SIMPLE = 2 };

static void add(message *m, const void *bytes, size_t n)
{
    if (m->n + n <= EVENT)
        memcpy(m->bytes + m->n, bytes, n);
    m->n += n;
}

static void add_varint(message *m, uint64_t value)
{
    do {
        const unsigned char byte = (unsigned char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        add(m, &byte, 1);
        value >>= 7;
    } while (value);
}

static void add_key(message *m, unsigned field, unsigned type)
{
    add_varint(m, (uint64_t)field << 3 | type);
}

/* Fixed-width values are little-endian, as on every machine that quickstep runs on. */
static void add_double(message *m, unsigned field, double value)
{
    add_key(m, field, FIXED64);
    add(m, &value, sizeof value);
}

static void add_float(message *m, unsigned field, float value)
{
    add_key(m, field, FIXED32);
    add(m, &value, sizeof value);
}

static void add_bytes(message *m, unsigned field, const void *bytes, size_t n)
{
    add_key(m, field, BYTES);
    add_varint(m, n);
    add(m, bytes, n);
}

/* Castagnoli's polynomial, reflected; a few hundred bytes an epoch need no table. */
static uint32_t crc32c(const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    uint32_t crc = ~0u;
    for (size_t i = 0; i < n; i++) {
        crc ^= at[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
    }
    return ~crc;
}

/* The format rotates and shifts checksums, so that a checksum of checksums is not trivial. */
static uint32_t masked_crc(const void *bytes, size_t n)
{
    const uint32_t crc = crc32c(bytes, n);
    return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

static int write_record(FILE *file, const message *m)
{
    const uint64_t length = m->n;
    const uint32_t length_crc = masked_crc(&length, sizeof length);
    const uint32_t crc = masked_crc(m->bytes, m->n);
    return m->n <= EVENT && fwrite(&length, sizeof length, 1, file) == 1 &&
           fwrite(&length_crc, sizeof length_crc, 1, file) == 1 &&
           fwrite(m->bytes, 1, m->n, file) == m->n && fwrite(&crc, sizeof crc, 1, file) == 1;
}

static double wall_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int write_version(FILE *file)
{
    static const char version[] = "brain.Event:2";
    message event = {.n = 0};
    add_double(&event, EVENT_WALL_TIME, wall_time());
    add_bytes(&event, EVENT_FILE_VERSION, version, sizeof version - 1);
    return write_record(file, &event);
}

static int write_scalar(FILE *file, size_t step, const char *name, double value)
{
    char tag[128];
    message event = {.n = 0}, summary = {.n = 0}, entry = {.n = 0};
    snprintf(tag, sizeof tag, "epoch_%s", name);
    add_bytes(&entry, VALUE_TAG, tag, strlen(tag));
    add_float(&entry, VALUE_SIMPLE, (float)value);
    add_bytes(&summary, SUMMARY_VALUE, entry.bytes, entry.n);
    add_double(&event, EVENT_WALL_TIME, wall_time());
    add_key(&event, EVENT_STEP, VARINT);
    add_varint(&event, step);
    add_bytes(&event, EVENT_SUMMARY, summary.bytes, summary.n);
    return write_record(file, &event);
}

/* Keras counts epochs from 0 here. */
static int write_scores(FILE *file, size_t epoch, const qs_scores *s)
{
    int ok = write_scalar(file, epoch - 1, "loss", s->loss);
    for (int i = 0; i < s->metrics; i++)
        ok &= write_scalar(file, epoch - 1, s->name[i], s->value[i]);
    return ok;
}

static void name_file(tensorboard *tb)
{
    char host[24] = "localhost";
    gethostname(host, sizeof host - 1);
    snprintf(tb->file, sizeof tb->file, "events.out.tfevents.%010lld.%s.%ld.0.v2",
             (long long)time(NULL), host, (long)getpid());
}

static int make_folders(const tensorboard *tb, const char *part)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", tb->folder, part);
    return (mkdir(tb->folder, 0777) == 0 || errno == EEXIST) &&
           (mkdir(path, 0777) == 0 || errno == EEXIST) && access(path, W_OK) == 0;
}

static qs_status cannot(const tensorboard *tb, qs_error *err)
{
    return fail(err, QS_E_IO,
                "--tensorboard %s: cannot be written (%s); check the folder and the space",
                tb->folder, strerror(errno));
}

/* NULL with errno where it cannot be. A new file starts with its version. */
static FILE *open_events(const tensorboard *tb, const char *part)
{
    char path[PATH];
    struct stat info;
    if (!make_folders(tb, part))
        return NULL;
    snprintf(path, sizeof path, "%s/%s/%s", tb->folder, part, tb->file);
    const int fresh = stat(path, &info) != 0;
    FILE *file = fopen(path, "ab");
    if (file && fresh && !write_version(file)) {
        fclose(file);
        return NULL;
    }
    return file;
}

static qs_status add_part(const tensorboard *tb, const char *part, const qs_epoch *e,
                          const qs_scores *scores, qs_error *err)
{
    FILE *file = open_events(tb, part);
    int ok = file && write_scores(file, e->epoch, scores);
    if (ok && scores == &e->train)
        ok = write_scalar(file, e->epoch - 1, "learning_rate", e->learning_rate);
    if (file)
        ok &= fclose(file) == 0;
    return ok ? QS_OK : cannot(tb, err);
}

qs_status tensorboard_check(const tensorboard *tb, qs_error *err)
{
    return !tb->folder || make_folders(tb, "train") ? QS_OK : cannot(tb, err);
}

qs_status tensorboard_epoch(tensorboard *tb, const qs_epoch *epoch, qs_error *err)
{
    if (!tb->folder)
        return QS_OK;
    if (!tb->file[0])
        name_file(tb);
    const qs_status s = add_part(tb, "train", epoch, &epoch->train, err);
    return s == QS_OK && epoch->has_valid ? add_part(tb, "validation", epoch, &epoch->valid, err)
                                          : s;
}
