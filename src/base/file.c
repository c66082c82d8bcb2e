/* SPDX-License-Identifier: MIT */
/* file.c - files mapped whole, and files replaced whole. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

static qs_status cannot_read(const char *path, qs_error *err)
{
    if (errno == ELOOP || errno == ENAMETOOLONG)
        return qs_fail(err, QS_E_MISSING, "%.200s: no such file (%s); check the path", path,
                       strerror(errno));
    if (errno == ENOENT || errno == ENOTDIR)
        return qs_fail(err, QS_E_MISSING, "%s: no such file; check the path", path);
    if (errno == EACCES)
        return qs_fail(err, QS_E_MISSING, "%s: may not be read; check its permissions", path);
    return qs_fail(err, QS_E_IO, "%s: cannot be read: %s", path, strerror(errno));
}

static qs_status map_open(const char *path, int file, const unsigned char **bytes, size_t *n,
                          qs_error *err)
{
    struct stat about;
    if (fstat(file, &about) != 0)
        return cannot_read(path, err);
    if (S_ISDIR(about.st_mode))
        return qs_fail(err, QS_E_MISSING, "%s: is a folder; name a file", path);
    if (!S_ISREG(about.st_mode))
        return qs_fail(err, QS_E_MISSING, "%s: is not a regular file; save it to one first", path);

    const size_t size = (size_t)about.st_size;
    if (size == 0) {
        *bytes = (const unsigned char *)"";
        *n = 0;
        return QS_OK;
    }
    void *const map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (map == MAP_FAILED)
        return cannot_read(path, err);
    *bytes = map;
    *n = size;
    return QS_OK;
}

qs_status qs_file_map(const char *path, const unsigned char **bytes, size_t *n, qs_error *err)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return cannot_read(path, err);
    const qs_status status = map_open(path, file, bytes, n, err);
    close(file);
    return status;
}

void qs_file_unmap(const unsigned char *bytes, size_t n)
{
    if (n > 0)
        munmap((void *)(uintptr_t)bytes, n);
}

static bool write_all(int file, const unsigned char *bytes, size_t n)
{
    while (n > 0) {
        const ssize_t done = write(file, bytes, n);
        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0)
            bytes += done, n -= (size_t)done;
    }
    return true;
}

static qs_status cannot_write(const char *path, size_t n, qs_error *err)
{
    const char *const advice = errno == ENOENT   ? "; make the folder first"
                               : errno == ENOSPC ? "; free some space or choose another place"
                               : errno == EACCES || errno == EROFS
                                   ? "; choose a place that you may write to"
                                   : "";
    return qs_fail(err, QS_E_IO, "%s: writing %zu bytes failed: %s%s", path, n, strerror(errno),
                   advice);
}

/* A rename is on the disk only once its folder is. Best effort: some file systems refuse. */
static void flush_folder_of(const char *path)
{
    char folder[PATH_MAX];
    const char *const slash = strrchr(path, '/');
    const size_t n = slash ? (size_t)(slash - path) + (slash == path) : 1;
    memcpy(folder, slash ? path : ".", n);
    folder[n] = 0;
    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0) {
        fsync(file);
        close(file);
    }
}

/* Fill `beside`, which becomes `target`. */
static bool replace(const char *target, const char *beside, mode_t mode, const void *bytes,
                    size_t n)
{
    const int file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return false;
    bool good = (mode == 0 || fchmod(file, mode) == 0) && write_all(file, bytes, n);
    good = good && fsync(file) == 0;
    const int why = errno;
    good = close(file) == 0 && good && rename(beside, target) == 0;
    if (!good) {
        errno = why ? why : errno;
        const int keep = errno;
        unlink(beside);
        errno = keep;
        return false;
    }
    flush_folder_of(target);
    return true;
}

/* Devices and pipes have no old content to protect. */
static bool write_through(const char *path, const void *bytes, size_t n)
{
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool good = write_all(file, bytes, n);
    return close(file) == 0 && good;
}

qs_status qs_file_write(const char *path, const void *bytes, size_t n, qs_error *err)
{
    static atomic_uint count;
    char target[PATH_MAX], beside[PATH_MAX];
    struct stat about;
    const bool there = stat(path, &about) == 0;
    if (there && S_ISDIR(about.st_mode))
        return qs_fail(err, QS_E_IO, "%s: is a folder; name a file to write", path);
    if (there && !S_ISREG(about.st_mode))
        return write_through(path, bytes, n) ? QS_OK : cannot_write(path, n, err);

    /* a link stays a link: its target is replaced */
    if (!there || !realpath(path, target)) {
        const int length = snprintf(target, sizeof target, "%s", path);
        if (length < 0 || (size_t)length >= sizeof target)
            return qs_fail(err, QS_E_IO, "%.80s…: the path is too long", path);
    }
    const int length = snprintf(beside, sizeof beside, "%s.%ld-%u.new", target, (long)getpid(),
                                atomic_fetch_add(&count, 1));
    if (length < 0 || (size_t)length >= sizeof beside)
        return qs_fail(err, QS_E_IO, "%.80s…: the path is too long", path);
    errno = 0;
    if (!replace(target, beside, there ? about.st_mode & 07777 : 0, bytes, n))
        return cannot_write(path, n, err);
    return QS_OK;
}

bool qs_file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool qs_file_is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static bool make_one(const char *path)
{
    return mkdir(path, 0777) == 0 || (errno == EEXIST && qs_file_is_folder(path));
}

qs_status qs_folder_make(const char *path, qs_error *err)
{
    char part[PATH_MAX];
    const size_t n = strlen(path);
    if (n == 0 || n >= sizeof part)
        return qs_fail(err, QS_E_ARG, "a folder's path must have 1 to %d bytes, not %zu",
                       PATH_MAX - 1, n);
    memcpy(part, path, n + 1);
    for (size_t i = 1; i <= n; i++) {
        if (part[i] && part[i] != '/')
            continue;
        part[i] = 0;
        if (!make_one(part))
            return errno == EEXIST || errno == ENOTDIR
                       ? qs_fail(err, QS_E_IO, "%s: is there and is no folder; give another one",
                                 part)
                       : qs_fail(err, QS_E_IO, "%s: cannot make this folder: %s", part,
                                 strerror(errno));
        part[i] = path[i];
    }
    return QS_OK;
}
