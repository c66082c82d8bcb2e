/* SPDX-License-Identifier: MIT */
/* zip_file.c - zip archives in memory, by libzip. */
#include "format/zip_file.h"

#include <string.h>
#include <zip.h>

#include "base/alloc.h"

/* deflate cannot do better than about 1032 : 1 */
enum { MOST_GROWTH = 1040, SLACK = 1 << 16, SHORTEST = 22 };

struct qs_zip {
    zip_t *archive;
    size_t bytes;
};

qs_status qs_zip_open(const unsigned char *bytes, size_t n, qs_zip **out, qs_error *err)
{
    zip_error_t why;
    if (n < SHORTEST) /* libzip takes no bytes at all for an empty archive */
        return qs_fail(err, QS_E_FORMAT, "not a zip archive: %zu bytes are too short", n);
    zip_error_init(&why);
    qs_zip *zip = qs_calloc(1, sizeof *zip);
    zip_source_t *source = zip ? zip_source_buffer_create(bytes, n, 0, &why) : NULL;
    zip_t *archive = source ? zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &why) : NULL;
    if (!archive) {
        const qs_status status =
            !source || zip_error_code_zip(&why) == ZIP_ER_MEMORY
                ? qs_fail_memory(err, (double)n, "reading a zip archive")
                : qs_fail(err, QS_E_FORMAT, "not a zip archive, or a damaged one (%s)",
                          zip_error_strerror(&why));
        zip_source_free(source);
        zip_error_fini(&why);
        qs_free(zip);
        return status;
    }
    zip_error_fini(&why);
    *zip = (qs_zip){archive, n};
    *out = zip;
    return QS_OK;
}

bool qs_zip_has(const qs_zip *zip, const char *member)
{
    return zip_name_locate(zip->archive, member, 0) >= 0;
}

size_t qs_zip_count(const qs_zip *zip)
{
    const zip_int64_t n = zip_get_num_entries(zip->archive, 0);
    return n > 0 ? (size_t)n : 0;
}

static qs_status read_all(const qs_zip *zip, const char *member, unsigned char *bytes, size_t n,
                          qs_error *err)
{
    zip_file_t *file = zip_fopen(zip->archive, member, 0);
    if (!file && zip_error_code_zip(zip_get_error(zip->archive)) == ZIP_ER_MEMORY)
        return qs_fail_memory(err, (double)n, member);
    if (!file)
        return qs_fail(err, QS_E_FORMAT, "member %.100s cannot be opened: %s", member,
                       zip_strerror(zip->archive));
    unsigned char more;
    const bool whole =
        zip_fread(file, bytes, n) == (zip_int64_t)n && zip_fread(file, &more, 1) == 0;
    const int closed = zip_fclose(file);
    if (!whole || closed)
        return qs_fail(err, QS_E_FORMAT, "member %.100s is damaged", member);
    return QS_OK;
}

qs_status qs_zip_read(const qs_zip *zip, const char *member, unsigned char **bytes, size_t *n,
                      qs_error *err)
{
    zip_stat_t stat;
    if (zip_stat(zip->archive, member, 0, &stat) || !(stat.valid & ZIP_STAT_SIZE))
        return qs_fail(err, QS_E_FORMAT, "the archive has no member %.100s", member);
    if (stat.size > zip->bytes * (zip_uint64_t)MOST_GROWTH + SLACK)
        return qs_fail(err, QS_E_FORMAT, "member %.100s claims %llu bytes in an archive of %zu",
                       member, (unsigned long long)stat.size, zip->bytes);
    unsigned char *all = qs_malloc((size_t)stat.size + 1);
    if (!all)
        return qs_fail_memory(err, (double)stat.size, member);
    const qs_status status = read_all(zip, member, all, (size_t)stat.size, err);
    if (status != QS_OK) {
        qs_free(all);
        return status;
    }
    all[stat.size] = 0;
    *bytes = all;
    *n = (size_t)stat.size;
    return QS_OK;
}

void qs_zip_close(qs_zip *zip)
{
    if (!zip)
        return;
    zip_discard(zip->archive);
    qs_free(zip);
}

static bool add_member(zip_t *archive, const qs_zip_member *member)
{
    static const zip_uint16_t first_date = (1 << 5) | 1, midnight = 0; /* 1980-01-01 */
    zip_source_t *source = zip_source_buffer(archive, member->bytes, member->n, 0);
    if (!source)
        return false;
    const zip_int64_t at = zip_file_add(archive, member->name, source, ZIP_FL_ENC_UTF_8);
    if (at < 0) {
        zip_source_free(source);
        return false;
    }
    const zip_uint64_t index = (zip_uint64_t)at;
    return !zip_set_file_compression(archive, index, ZIP_CM_STORE, 0) &&
           !zip_file_set_dostime(archive, index, midnight, first_date, 0);
}

/* The bytes that a closed archive left in its source. */
static unsigned char *take_bytes(zip_source_t *source, size_t *n)
{
    zip_stat_t stat;
    if (zip_source_stat(source, &stat) || zip_source_open(source))
        return NULL;
    unsigned char *bytes = qs_malloc((size_t)stat.size);
    if (bytes && zip_source_read(source, bytes, stat.size) != (zip_int64_t)stat.size) {
        qs_free(bytes);
        bytes = NULL;
    }
    zip_source_close(source);
    *n = (size_t)stat.size;
    return bytes;
}

static bool write_archive(zip_source_t *source, const qs_zip_member *member, size_t count)
{
    zip_t *archive = zip_open_from_source(source, ZIP_TRUNCATE, NULL);
    if (!archive)
        return false;
    zip_source_keep(source);
    for (size_t i = 0; i < count; i++)
        if (!add_member(archive, &member[i])) {
            zip_discard(archive);
            return false;
        }
    if (!zip_close(archive))
        return true;
    zip_discard(archive);
    return false;
}

qs_status qs_zip_write(const qs_zip_member *member, size_t count, unsigned char **bytes, size_t *n,
                       qs_error *err)
{
    zip_source_t *source = zip_source_buffer_create(NULL, 0, 0, NULL);
    unsigned char *all = NULL;
    if (source && write_archive(source, member, count))
        all = take_bytes(source, n);
    zip_source_free(source);
    if (!all)
        return qs_fail(err, QS_E_NOMEM, "the archive could not be built: memory ran out");
    *bytes = all;
    return QS_OK;
}
