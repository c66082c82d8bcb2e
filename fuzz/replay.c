/* SPDX-License-Identifier: MIT */
/* replay.c - feed a fuzz target its corpus as an ordinary test; prints TAP.
 *
 * usage: replay_PARSER FOLDER
 * Each file goes in whole, cut short at many places, and with single bytes changed: always the same
 * ones, so that a failure repeats. The target's own copy has the exact size, so that a sanitizer
 * sees one byte too far.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { MAX_BYTES = 1 << 20, CUTS = 200, CHANGES = 300 };

static void feed(const uint8_t *bytes, size_t size)
{
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact)
        return;
    memcpy(exact, bytes, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static void feed_cut(const uint8_t *bytes, size_t size)
{
    const size_t stride = size / CUTS + 1;
    for (size_t n = 0; n < size; n += stride)
        feed(bytes, n);
}

static void feed_changed(uint8_t *bytes, size_t size)
{
    uint32_t random = 1;
    for (int i = 0; i < CHANGES && size > 0; i++) {
        random = random * 1664525u + 1013904223u;
        uint8_t *place = &bytes[(random >> 8) % size];
        const uint8_t before = *place;
        *place = (uint8_t)(i % 4 == 0 ? 0xff : i % 4 == 1 ? 0 : before ^ (1u << (random % 8)));
        feed(bytes, size);
        *place = before;
    }
}

static int replay(const char *folder, const char *name, int number)
{
    static uint8_t bytes[MAX_BYTES];
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        printf("not ok %d - %s cannot be read\n", number, name);
        return 1;
    }
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    fprintf(stderr, "%s\n", name);
    feed(bytes, size);
    feed_cut(bytes, size);
    feed_changed(bytes, size);
    printf("ok %d - %s\n", number, name);
    return 0;
}

static int is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
    struct dirent **entries = NULL;
    const int n = argc > 1 ? scandir(argv[1], &entries, is_file, alphasort) : -1;
    int failed = n <= 0;
    printf("1..%d\n", n > 0 ? n : 1);
    if (failed)
        printf("not ok 1 - no corpus in %s\n", argc > 1 ? argv[1] : "no folder");
    for (int i = 0; i < n; i++) {
        failed += replay(argv[1], entries[i]->d_name, i + 1);
        fflush(stdout);
        free(entries[i]);
    }
    free(entries);
    return failed > 0;
}
