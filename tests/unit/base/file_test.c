/* SPDX-License-Identifier: MIT */
/* file_test.c - whole files in and out, folders, gzip. */
#include "base/file.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/alloc.h"

static char folder[] = "/tmp/qs-file-XXXXXX";

static void setup(void)
{
    cr_assert(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
}

static void teardown(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_assert_eq(system(command), 0);
}

static size_t gzip(const char *text, size_t n, unsigned char *out, size_t room)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)text,
                  .avail_in = (uInt)n,
                  .next_out = out,
                  .avail_out = (uInt)room};
    cr_assert_eq(deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return z.total_out;
}

TestSuite(file, .init = setup, .fini = teardown);

Test(file, what_is_written_is_read_and_nothing_else_is_left)
{
    const unsigned char *bytes;
    size_t n;
    cr_assert_eq(qs_file_write("a", "first", 5, NULL), QS_OK);
    cr_assert_eq(qs_file_write("a", "second!", 7, NULL), QS_OK);
    cr_assert_eq(qs_file_map("a", &bytes, &n, NULL), QS_OK);
    cr_assert_eq(n, 7);
    cr_assert_arr_eq(bytes, "second!", 7);
    qs_file_unmap(bytes, n);
    cr_assert_eq(system("test $(ls | wc -l) = 1"), 0);
}

Test(file, mode_and_link_of_the_old_file_stay)
{
    cr_assert_eq(qs_file_write("real", "x", 1, NULL), QS_OK);
    cr_assert_eq(chmod("real", 0640), 0);
    cr_assert_eq(symlink("real", "link"), 0);
    cr_assert_eq(qs_file_write("link", "yy", 2, NULL), QS_OK);
    struct stat about;
    cr_assert_eq(lstat("link", &about), 0);
    cr_assert(S_ISLNK(about.st_mode));
    cr_assert_eq(stat("real", &about), 0);
    cr_assert_eq(about.st_size, 2);
    cr_assert_eq(about.st_mode & 0777, 0640);
}

Test(file, full_disk_is_an_error_that_says_so)
{
    qs_error err;
    cr_assert_eq(qs_file_write("/dev/full", "x", 1, &err), QS_E_IO);
    cr_assert(strstr(err.text, "No space left"), "%s", err.text);
}

Test(file, missing_places_are_named)
{
    qs_error err;
    const unsigned char *bytes;
    size_t n;
    cr_assert_eq(qs_file_map("nothing/here", &bytes, &n, &err), QS_E_MISSING);
    cr_assert(strstr(err.text, "nothing/here"), "%s", err.text);
    cr_assert_eq(qs_file_map(".", &bytes, &n, &err), QS_E_MISSING);
    cr_assert(strstr(err.text, "folder"), "%s", err.text);
    cr_assert_eq(qs_file_write("nothing/here", "x", 1, &err), QS_E_IO);
    cr_assert(strstr(err.text, "make the folder"), "%s", err.text);
    cr_assert_eq(qs_file_write(".", "x", 1, &err), QS_E_IO);
}

Test(file, empty_file_maps)
{
    const unsigned char *bytes;
    size_t n = 9;
    cr_assert_eq(qs_file_write("empty", "", 0, NULL), QS_OK);
    cr_assert_eq(qs_file_map("empty", &bytes, &n, NULL), QS_OK);
    cr_assert_eq(n, 0);
    cr_assert_eq(bytes[0], 0);
    qs_file_unmap(bytes, n);
}

Test(file, folders_are_made_with_parents)
{
    cr_assert_eq(qs_folder_make("a/b//c/", NULL), QS_OK);
    cr_assert_eq(qs_folder_make("a/b", NULL), QS_OK);
    cr_assert(qs_file_is_folder("a/b/c"));
    cr_assert_eq(qs_file_write("file", "x", 1, NULL), QS_OK);
    qs_error err;
    cr_assert_eq(qs_folder_make("file/d", &err), QS_E_IO);
    cr_assert(strstr(err.text, "file"), "%s", err.text);
    cr_assert(qs_file_exists("file"));
    cr_assert_not(qs_file_exists("file2"));
}

Test(file, gzip_members_follow_each_other)
{
    unsigned char packed[400], *out;
    size_t n = gzip("hello ", 6, packed, sizeof packed), out_n;
    n += gzip("world", 5, packed + n, sizeof packed - n);
    cr_assert_eq(qs_gunzip(packed, n, 11, &out, &out_n, NULL), QS_OK);
    cr_assert_eq(out_n, 11);
    cr_assert_arr_eq(out, "hello world", 11);
    qs_free(out);

    qs_error err;
    for (size_t cut = 2; cut < n; cut++) /* a cut between the members is a whole file */
        if (qs_gunzip(packed, cut, 100, &out, &out_n, &err) == QS_OK) {
            cr_assert_eq(out_n, 6);
            qs_free(out);
        } else
            cr_assert_eq(err.code, QS_E_FORMAT);
    packed[n] = 'x';
    cr_assert_eq(qs_gunzip(packed, n + 1, 100, &out, &out_n, &err), QS_E_FORMAT);
}

Test(file, gzip_stops_at_the_limit_and_at_damage)
{
    static char zeros[100000];
    static unsigned char packed[1000];
    unsigned char *out;
    size_t out_n;
    qs_error err;
    const size_t n = gzip(zeros, sizeof zeros, packed, sizeof packed);
    cr_assert_eq(qs_gunzip(packed, n, sizeof zeros, &out, &out_n, &err), QS_OK);
    qs_free(out);
    cr_assert_eq(qs_gunzip(packed, n, sizeof zeros - 1, &out, &out_n, &err), QS_E_FORMAT);
    cr_assert(strstr(err.text, "99999"), "%s", err.text);
    packed[n - 6] ^= 1; /* the checksum */
    cr_assert_eq(qs_gunzip(packed, n, sizeof zeros, &out, &out_n, &err), QS_E_FORMAT);
    cr_assert_eq(qs_gunzip((const unsigned char *)"plain", 5, 0, &out, &out_n, NULL), QS_OK);
    cr_assert_arr_eq(out, "plain", 5);
    qs_free(out);
}
