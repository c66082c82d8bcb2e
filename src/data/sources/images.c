/* SPDX-License-Identifier: MIT */
/* images.c - a folder with one sub-folder of pictures per class; classes and files in the order of
 * their names. */
#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "data/image.h"
#include "data/source.h"
#include "data/spec_text.h"

typedef struct picture {
    const char *path;
    int32_t class;
} picture;

typedef struct gallery {
    qs_store *store;
    const char *folder;
    const char **class_name;
    size_t classes;
    picture *pictures; /* [room] by qs_realloc */
    size_t count, room;
    qs_image image; /* of all of them */
} gallery;

/* ---- names ---- */

typedef struct names {
    const char **name;
    size_t count, room;
} names;

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static qs_status add_name(names *all, const char *name, qs_arena *arena, qs_error *err)
{
    if (all->count == all->room) {
        const size_t room = all->room ? 2 * all->room : 64;
        const char **const more = qs_realloc(all->name, room * sizeof *more);
        if (!more)
            return qs_fail_memory(err, (double)room * sizeof *more, "names of files");
        all->name = more;
        all->room = room;
    }
    all->name[all->count] = qs_spec_copy(arena, name, strlen(name));
    return all->name[all->count++] ? QS_OK : qs_fail_memory(err, 256, "names of files");
}

/* What is in a folder, sorted, without hidden entries; name is the caller's to free. */
static qs_status list(const char *folder, qs_arena *arena, names *out, qs_error *err)
{
    DIR *const all = opendir(folder);
    if (!all)
        return qs_fail(err, QS_E_MISSING, "%s: cannot be listed; check its permissions", folder);
    qs_status status = QS_OK;
    const struct dirent *entry;
    while (status == QS_OK && (entry = readdir(all)))
        if (entry->d_name[0] != '.')
            status = add_name(out, entry->d_name, arena, err);
    closedir(all);
    if (out->count > 0)
        qsort(out->name, out->count, sizeof *out->name, compare);
    return status;
}

static const char *join(qs_arena *arena, const char *folder, const char *name)
{
    char *const path = qs_format("%s/%s", folder, name);
    const char *const copy = path ? qs_spec_copy(arena, path, strlen(path)) : NULL;
    qs_free(path);
    return copy;
}

static bool is_picture(const char *name)
{
    static const char *const ends[] = {".png", ".jpg", ".jpeg"};
    const size_t n = strlen(name);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t m = strlen(ends[i]);
        if (n > m && strcasecmp(name + n - m, ends[i]) == 0)
            return true;
    }
    return false;
}

/* ---- finding the pictures ---- */

static qs_status add_picture(gallery *g, const char *path, qs_error *err)
{
    if (g->count == g->room) {
        const size_t room = g->room ? 2 * g->room : 256;
        picture *const more = qs_realloc(g->pictures, room * sizeof *more);
        if (!more)
            return qs_fail_memory(err, (double)room * sizeof *more, "names of pictures");
        g->pictures = more;
        g->room = room;
    }
    g->pictures[g->count++] = (picture){path, (int32_t)g->classes};
    return path ? QS_OK : qs_fail_memory(err, 256, "names of pictures");
}

static qs_status add_class(gallery *g, const char *folder, const names *files, qs_error *err)
{
    for (size_t i = 0; i < files->count; i++)
        if (is_picture(files->name[i]))
            QS_TRY(add_picture(g, join(&g->store->arena, folder, files->name[i]), err));
    return QS_OK;
}

static qs_status add_classes(gallery *g, const names *folders, qs_error *err)
{
    g->class_name = QS_NEW_N(&g->store->arena, const char *, folders->count + 1);
    if (!g->class_name)
        return qs_fail_memory(err, (double)folders->count * sizeof(char *), "class names");
    for (size_t i = 0; i < folders->count; i++) {
        const char *const path = join(&g->store->arena, g->folder, folders->name[i]);
        names files = {0};
        if (!path)
            return qs_fail_memory(err, 256, "names of folders");
        if (!qs_file_is_folder(path))
            continue;
        qs_status status = list(path, &g->store->arena, &files, err);
        if (status == QS_OK)
            status = add_class(g, path, &files, err);
        qs_free(files.name);
        if (status != QS_OK)
            return status;
        g->class_name[g->classes++] = folders->name[i];
    }
    return QS_OK;
}

static qs_status find_pictures(gallery *g, qs_error *err)
{
    names folders = {0};
    qs_status status = list(g->folder, &g->store->arena, &folders, err);
    if (status == QS_OK)
        status = add_classes(g, &folders, err);
    qs_free(folders.name);
    if (status == QS_OK && g->count == 0)
        return qs_fail(err, QS_E_DATA,
                       "%s: no .png or .jpg pictures in its %zu sub-folders; each class needs a "
                       "sub-folder of its own",
                       g->folder, g->classes);
    return status;
}

/* ---- reading them ---- */

static qs_status look_at(gallery *g, const picture *p, const unsigned char *bytes, size_t n,
                         qs_error *err)
{
    qs_image image;
    QS_TRY(qs_image_parse(bytes, n, &image, err));
    if (p == g->pictures)
        g->image = image;
    if (image.height != g->image.height || image.width != g->image.width)
        return qs_fail(
            err, QS_E_DATA, "%zux%zu pixels, but %s has %zux%zu; bring all pictures to one size",
            image.width, image.height, g->pictures->path, g->image.width, g->image.height);
    if (image.channels > g->image.channels)
        g->image.channels = image.channels;
    return QS_OK;
}

static qs_status with_file(gallery *g, size_t i, unsigned char *out, qs_error *err)
{
    const picture *const p = &g->pictures[i];
    const size_t bytes_each = g->image.height * g->image.width * g->image.channels;
    const unsigned char *bytes;
    size_t n;
    QS_TRY(qs_file_map(p->path, &bytes, &n, err));
    const qs_status status = out ? qs_image_decode(bytes, n, &g->image, out + i * bytes_each, err)
                                 : look_at(g, p, bytes, n, err);
    qs_file_unmap(bytes, n);
    return qs_context(err, status, "%s", p->path);
}

static qs_status read_pictures(gallery *g, qs_parts *out, qs_error *err)
{
    void *x, *y;
    for (size_t i = 0; i < g->count; i++)
        QS_TRY(with_file(g, i, NULL, err));
    const size_t bytes_each = g->image.height * g->image.width * g->image.channels;
    QS_TRY(qs_store_block(g->store, g->count, bytes_each, "pictures", &x, err));
    QS_TRY(qs_store_block(g->store, g->count, sizeof(int32_t), "labels", &y, err));
    for (size_t i = 0; i < g->count; i++) {
        QS_TRY(with_file(g, i, x, err));
        ((int32_t *)y)[i] = g->pictures[i].class;
    }
    out->x = (qs_array){
        .data = x,
        .dtype = QS_U8,
        .rank = 4,
        .dim = {g->count, g->image.height, g->image.width, g->image.channels},
    };
    out->y = (qs_array){.data = y, .dtype = QS_I32, .rank = 1, .dim = {g->count}};
    out->class_name = g->class_name;
    out->classes = g->classes;
    return QS_OK;
}

static bool match(const char *spec)
{
    return qs_file_is_folder(spec);
}

static qs_status open_folder(const char *spec, qs_store *store, qs_parts *out, qs_error *err)
{
    gallery g = {.store = store, .folder = spec};
    qs_status status = find_pictures(&g, err);
    if (status == QS_OK)
        status = read_pictures(&g, out, err);
    qs_free(g.pictures);
    return status;
}

const qs_source_kind qs_source_images = {
    .name = "images",
    .form = "FOLDER",
    .help = "a folder with one sub-folder of PNG or JPEG pictures per class, all of one size",
    .match = match,
    .open = open_folder,
};
