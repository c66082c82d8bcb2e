/* SPDX-License-Identifier: MIT */
/* folder.c - the folder of a run: which file is where, and how each is written. */
#include "train/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"

char *qs_run_folder_path(const char *folder, const char *file)
{
    return qs_format("%s/%s", folder, file);
}

static qs_status path_of(const char *folder, const char *file, char **path, qs_error *err)
{
    *path = qs_run_folder_path(folder, file);
    return *path ? QS_OK : qs_fail_memory(err, (double)strlen(folder), "a path");
}

/* Nothing that could fail: a run that seems not to be there would be overwritten. */
bool qs_run_folder_has(const char *folder, const char *file)
{
    char path[PATH_MAX];
    const int n = snprintf(path, sizeof path, "%s/%s", folder, file);
    return n > 0 && (size_t)n < sizeof path && qs_file_exists(path);
}

bool qs_run_folder_is(const char *folder)
{
    return qs_run_folder_has(folder, QS_CHECKPOINTS "/.");
}

static qs_status check_new(const char *folder, qs_error *err)
{
    if (!qs_run_folder_has(folder, QS_FILE_CHECKPOINT))
        return QS_OK;
    return qs_fail(err, QS_E_ARG,
                   "%s: already holds a run; go on with it by --resume %s, or give another folder",
                   folder, folder);
}

qs_status qs_run_folder_lock(const char *folder, int *lock, qs_error *err)
{
    char *path;
    QS_TRY(path_of(folder, QS_CHECKPOINTS, &path, err));
    int handle = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    qs_free(path);
    if (handle >= 0 && flock(handle, LOCK_EX | LOCK_NB) != 0) {
        const bool taken = errno == EWOULDBLOCK;
        close(handle);
        handle = -1;
        if (taken)
            return qs_fail(err, QS_E_ARG,
                           "%s: a run is training in this folder right now; wait until it ends, "
                           "or give another folder",
                           folder);
    }
    *lock = handle;
    return QS_OK;
}

void qs_run_folder_unlock(int lock)
{
    if (lock >= 0)
        close(lock);
}

qs_status qs_run_folder_make(const char *folder, qs_error *err)
{
    char *path;
    QS_TRY(check_new(folder, err));
    QS_TRY(path_of(folder, QS_CHECKPOINTS, &path, err));
    const qs_status status = qs_folder_make(path, err);
    qs_free(path);
    return status;
}

qs_status qs_run_folder_write(const char *folder, const char *file, const void *bytes, size_t n,
                              qs_error *err)
{
    char *path;
    QS_TRY(path_of(folder, file, &path, err));
    const qs_status status = qs_file_write(path, bytes, n, err);
    qs_free(path);
    return status;
}

/* "model.keras.1234-5.new": a file of ours that was not yet renamed. */
static bool half_written(const char *name)
{
    static const char *const files[] = {QS_FILE_RECORD, QS_FILE_HISTORY,    QS_FILE_MODEL,
                                        QS_FILE_BEST,   QS_FILE_CHECKPOINT, QS_FILE_START};
    const size_t length = strlen(name);
    if (length < 4 || strcmp(name + length - 4, ".new"))
        return false;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *slash = strrchr(files[i], '/');
        const char *file = slash ? slash + 1 : files[i];
        const size_t n = strlen(file);
        if (!strncmp(name, file, n) && name[n] == '.')
            return true;
    }
    return false;
}

static void sweep(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return;
    for (const struct dirent *entry; (entry = readdir(folder));)
        if (half_written(entry->d_name))
            unlinkat(dirfd(folder), entry->d_name, 0);
    closedir(folder);
}

void qs_run_folder_sweep(const char *folder)
{
    char *checkpoints = qs_run_folder_path(folder, QS_CHECKPOINTS);
    sweep(folder);
    if (checkpoints)
        sweep(checkpoints);
    qs_free(checkpoints);
}

static int write_all(int file, const char *text)
{
    size_t left = strlen(text);
    while (left) {
        const ssize_t n = write(file, text, left);
        if (n < 0 && errno != EINTR)
            return -1;
        text += n > 0 ? n : 0;
        left -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}

qs_status qs_run_folder_append(const char *folder, const char *file, const char *text,
                               qs_error *err)
{
    char *path;
    QS_TRY(path_of(folder, file, &path, err));
    const int handle = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    int failed = handle < 0 || write_all(handle, text);
    const int why = errno;
    if (handle >= 0)
        failed |= close(handle);
    const qs_status status =
        failed ? qs_fail(err, QS_E_IO,
                         "%s: cannot be added to (%s); free some space or choose another folder",
                         path, strerror(why))
               : QS_OK;
    qs_free(path);
    return status;
}

qs_status qs_run_folder_save(const char *folder, const char *file, const qs_model *model,
                             qs_error *err)
{
    char *path;
    QS_TRY(path_of(folder, file, &path, err));
    const qs_status status = qs_model_save(model, path, 0, err);
    qs_free(path);
    return status;
}

qs_status qs_run_folder_copy(const char *from, const char *to, const char *file, qs_error *err)
{
    char *path;
    const unsigned char *bytes;
    size_t n;
    if (!qs_run_folder_has(from, file))
        return QS_OK;
    QS_TRY(path_of(from, file, &path, err));
    qs_status status = qs_file_map(path, &bytes, &n, err);
    if (status == QS_OK) {
        status = qs_run_folder_write(to, file, bytes, n, err);
        qs_file_unmap(bytes, n);
    }
    qs_free(path);
    return status;
}
