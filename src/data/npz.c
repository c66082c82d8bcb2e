/* SPDX-License-Identifier: MIT */
/* npz.c - arrays out of a zip archive in memory. */
#include "data/npz.h"

#include <stdio.h>
#include <string.h>
#include <zip.h>

#include "base/alloc.h"
#include "data/array.h"
#include "data/keys.h"
#include "data/spec_text.h"

enum { MOST_ENTRIES = 100000, MOST_RATIO = 1032 /* of deflate */ };

static qs_status open_archive(const unsigned char *bytes, size_t n, zip_t **out, qs_error *err)
{
    zip_error_t why;
    zip_error_init(&why);
    zip_source_t *const source = zip_source_buffer_create(bytes, n, 0, &why);
    zip_t *const zip = source ? zip_open_from_source(source, ZIP_RDONLY, &why) : NULL;
    if (!zip) {
        zip_source_free(source);
        const qs_status status = zip_error_code_zip(&why) == ZIP_ER_MEMORY
                                     ? qs_fail_memory(err, (double)n, "reading an .npz archive")
                                     : qs_fail(err, QS_E_FORMAT, "not a whole .npz archive: %s",
                                               zip_error_strerror(&why));
        zip_error_fini(&why);
        return status;
    }
    zip_error_fini(&why);
    *out = zip;
    return QS_OK;
}

/* Names of the arrays: of the entries, without ".npy"; NULL ends them. */
static qs_status list_names(zip_t *zip, qs_arena *arena, const char *const **out, qs_error *err)
{
    const zip_int64_t count = zip_get_num_entries(zip, 0);
    if (count < 0 || count > MOST_ENTRIES)
        return qs_fail(err, QS_E_FORMAT, "the archive has %lld entries, at most %d can be read",
                       (long long)count, MOST_ENTRIES);
    const char **const names = QS_NEW_N(arena, const char *, (size_t)count + 1);
    size_t kept = 0;
    for (zip_int64_t i = 0; names && i < count; i++) {
        const char *const name = zip_get_name(zip, (zip_uint64_t)i, 0);
        const size_t n = name ? strlen(name) : 0;
        if (n <= 4 || strcmp(name + n - 4, ".npy") != 0)
            continue;
        names[kept] = qs_spec_copy(arena, name, n - 4);
        if (!names[kept++])
            return qs_fail_memory(err, (double)n, "the names in an .npz");
    }
    if (!names)
        return qs_fail_memory(err, (double)count * sizeof *names, "the names in an .npz");
    *out = names;
    return QS_OK;
}

static bool read_all(zip_file_t *file, unsigned char *out, size_t n)
{
    unsigned char beyond;
    while (n > 0) {
        const zip_int64_t got = zip_fread(file, out, n);
        if (got <= 0)
            return false;
        out += got;
        n -= (size_t)got;
    }
    return zip_fread(file, &beyond, 1) == 0; /* the end: now the checksum has been compared */
}

/* Both sizes are claims of the file; `whole` is what it really has. */
static qs_status check_sizes(const zip_stat_t *about, size_t whole, qs_error *err)
{
    if (about->comp_size > whole || about->size / MOST_RATIO > about->comp_size)
        return qs_fail(err, QS_E_FORMAT,
                       "a file of %zu bytes cannot hold %llu packed ones that become %llu", whole,
                       (unsigned long long)about->comp_size, (unsigned long long)about->size);
    return QS_OK;
}

static qs_status read_entry(zip_t *zip, const zip_stat_t *about, qs_store *store, qs_array *out,
                            qs_error *err)
{
    void *block;
    QS_TRY(qs_store_block(store, about->size, 1, "an array of an .npz", &block, err));
    zip_file_t *const file = zip_fopen_index(zip, about->index, 0);
    const bool good = file && read_all(file, block, about->size);
    if (file)
        zip_fclose(file);
    if (!good)
        return qs_fail(err, QS_E_FORMAT, "the packed data are damaged or cut off");
    return qs_array_npy(block, about->size, store, out, err);
}

typedef struct archive {
    zip_t *zip;
    size_t bytes;
    qs_store *store;
} archive;

static qs_status read_array(const archive *from, const char *name, qs_array *out, qs_error *err)
{
    enum { NEEDED = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_INDEX };
    if (!name)
        return QS_OK;
    char *const entry = qs_format("%s.npy", name);
    if (!entry)
        return qs_fail_memory(err, (double)strlen(name), "an .npz");
    zip_stat_t about;
    const bool found =
        zip_stat(from->zip, entry, 0, &about) == 0 && (about.valid & NEEDED) == NEEDED;
    qs_free(entry);
    if (!found)
        return qs_fail(err, QS_E_FORMAT, "array '%s' is listed but not there", name);
    qs_status status = check_sizes(&about, from->bytes, err);
    if (status == QS_OK)
        status = read_entry(from->zip, &about, from->store, out, err);
    return qs_context(err, status, "array '%s'", name);
}

static qs_status read_arrays(const archive *from, const char *wanted, qs_parts *out, bool *test,
                             qs_error *err)
{
    const char *const *names = NULL;
    qs_keys keys = {0};
    QS_TRY(list_names(from->zip, &from->store->arena, &names, err));
    QS_TRY(qs_keys_find(&from->store->arena, wanted, names, &keys, err));
    QS_TRY(read_array(from, keys.x, &out->x, err));
    QS_TRY(read_array(from, keys.y, &out->y, err));
    QS_TRY(read_array(from, keys.w, &out->w, err));
    *test = keys.test;
    return QS_OK;
}

qs_status qs_npz_parse(const unsigned char *bytes, size_t n, const char *keys, qs_store *store,
                       qs_parts *out, bool *test, qs_error *err)
{
    archive from = {.bytes = n, .store = store};
    QS_TRY(open_archive(bytes, n, &from.zip, err));
    const qs_status status = read_arrays(&from, keys, out, test, err);
    zip_discard(from.zip);
    return status;
}

qs_status qs_npz_open(const char *path, const char *keys, qs_store *store, qs_parts *out,
                      qs_error *err)
{
    const unsigned char *bytes;
    size_t n;
    bool test = false;
    QS_TRY(qs_store_map(store, path, &bytes, &n, err));
    const qs_status status = qs_npz_parse(bytes, n, keys, store, out, &test, err);
    qs_store_drop(store, bytes);
    if (status != QS_OK)
        return qs_context(err, status, "%s", path);
    if (test) {
        char *const spec = qs_format("%s:x_test,y_test", path);
        if (!spec)
            return qs_fail_memory(err, (double)strlen(path), "an .npz");
        out->test = qs_spec_copy(&store->arena, spec, strlen(spec));
        qs_free(spec);
    }
    return QS_OK;
}
