/* SPDX-License-Identifier: MIT */
/* array_file.c - writes one array of f32 as .npy, .npz or .csv. */
#include "array_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zip.h>

#include "report.h"
#include "text.h"

enum { HEADER = 256, PATH = 4096 };

/* Where the bytes go, and the name that the user knows. */
typedef struct target {
    const char *beside, *path;
} target;

typedef qs_status array_writer(const target *to, const array_view *a, qs_error *err);

static size_t elements(const array_view *a)
{
    size_t n = 1;
    for (int i = 0; i < a->rank; i++)
        n *= a->dim[i];
    return n;
}

/* Magic, version 1.0, and a dict padded so that the data begin at a multiple of 64. */
static size_t npy_header(const array_view *a, unsigned char header[HEADER])
{
    char text[HEADER];
    size_t n =
        (size_t)snprintf(text, sizeof text, "{'descr': '<f4', 'fortran_order': False, 'shape': (");
    for (int i = 0; i < a->rank; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%zu,%s", a->dim[i],
                              i + 1 < a->rank ? " " : "");
    n += (size_t)snprintf(text + n, sizeof text - n, "), }");
    const size_t total = (10 + n + 1 + 63) / 64 * 64, length = total - 10;
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (unsigned char)(length & 0xff);
    header[9] = (unsigned char)(length >> 8);
    memset(header + 10, ' ', length);
    memcpy(header + 10, text, n);
    header[total - 1] = '\n';
    return total;
}

static qs_status cannot(const char *path, int number, qs_error *err)
{
    return fail(err, QS_E_IO, "%s: cannot be written (%s); check the space and the folder", path,
                strerror(number));
}

/* Flush and close, so that a full disk shows here and not after the rename. */
static qs_status close_file(FILE *file, const char *path, int failed, qs_error *err)
{
    const int number = errno;
    failed |= fflush(file) != 0 || fsync(fileno(file)) != 0;
    const int late = errno;
    failed |= fclose(file) != 0;
    return failed ? cannot(path, number ? number : late, err) : QS_OK;
}

static qs_status write_npy(const target *to, const array_view *a, qs_error *err)
{
    unsigned char header[HEADER];
    const size_t n = npy_header(a, header), values = elements(a);
    FILE *file = fopen(to->beside, "wb");
    if (!file)
        return cannot(to->path, errno, err);
    errno = 0;
    const int failed = fwrite(header, 1, n, file) != n ||
                       fwrite(a->values, sizeof *a->values, values, file) != values;
    return close_file(file, to->path, failed, err);
}

static qs_status write_csv(const target *to, const array_view *a, qs_error *err)
{
    const size_t rows = a->dim[0], width = rows ? elements(a) / rows : 0;
    FILE *file = fopen(to->beside, "w");
    if (!file)
        return cannot(to->path, errno, err);
    errno = 0;
    int failed = 0;
    for (size_t i = 0; i < rows && !failed; i++)
        for (size_t k = 0; k < width && !failed; k++)
            failed = fprintf(file, "%.9g%c", (double)a->values[i * width + k],
                             k + 1 < width ? ',' : '\n') < 0;
    return close_file(file, to->path, failed, err);
}

/* NumPy's files: stored, not compressed. */
static int add_member(zip_t *zip, const void *bytes, size_t n)
{
    zip_source_t *source = zip_source_buffer(zip, bytes, n, 0);
    if (!source)
        return -1;
    const zip_int64_t index = zip_file_add(zip, "y.npy", source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        return -1;
    }
    return zip_set_file_compression(zip, (zip_uint64_t)index, ZIP_CM_STORE, 0);
}

static qs_status zip_bytes(const target *to, const void *bytes, size_t n, qs_error *err)
{
    int code;
    zip_t *zip = zip_open(to->beside, ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (!zip)
        return cannot(to->path, errno, err);
    if (add_member(zip, bytes, n) == 0 && zip_close(zip) == 0)
        return QS_OK;
    const qs_status s = fail(err, QS_E_IO, "%s: cannot be written (%s); check the space", to->path,
                             zip_strerror(zip));
    zip_discard(zip);
    return s;
}

static qs_status write_npz(const target *to, const array_view *a, qs_error *err)
{
    unsigned char header[HEADER];
    const size_t n = npy_header(a, header), bytes = elements(a) * sizeof *a->values;
    unsigned char *member = malloc(n + bytes);
    if (!member)
        return fail(err, QS_E_NOMEM, "%s: %zu bytes to write", to->path, n + bytes);
    memcpy(member, header, n);
    memcpy(member + n, a->values, bytes);
    const qs_status s = zip_bytes(to, member, n + bytes, err);
    free(member);
    return s;
}

static array_writer *writer_of(const char *path)
{
    static const struct {
        const char *ending;
        array_writer *write;
    } writers[] = {{".npy", write_npy}, {".npz", write_npz}, {".csv", write_csv}};
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        if (strcmp(text_ending(path), writers[i].ending) == 0)
            return writers[i].write;
    return NULL;
}

qs_status array_file_check(const char *path, qs_error *err)
{
    if (writer_of(path))
        return QS_OK;
    return fail(err, QS_E_ARG,
                "--out %s: outputs are written as .npy, .npz or .csv; end the name "
                "like that",
                path);
}

qs_status array_file_write(const char *path, const array_view *a, qs_error *err)
{
    char beside[PATH];
    qs_status s = array_file_check(path, err);
    if (s != QS_OK)
        return s;
    const int n = snprintf(beside, sizeof beside, "%s.%ld.part", path, (long)getpid());
    if (n < 0 || (size_t)n >= sizeof beside)
        return fail(err, QS_E_ARG, "--out: the name is too long; give a shorter one");
    s = writer_of(path)(&(target){beside, path}, a, err);
    if (s == QS_OK && rename(beside, path) != 0)
        s = cannot(path, errno, err);
    if (s != QS_OK)
        unlink(beside);
    return s;
}
