/* SPDX-License-Identifier: MIT */
/* folder_test.c - a run's folder is made, recognised, added to and swept. */
#include "train/folder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { PATH = 256 };

static char folder[PATH];

static void make(void)
{
    snprintf(folder, sizeof folder, "/tmp/quickstep-folder-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

static void drop(void)
{
    char command[PATH + 16];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(folder, .init = make, .fini = drop);

static void put(const char *file)
{
    cr_assert_eq(qs_run_folder_write(folder, file, "x", 1, NULL), QS_OK);
}

Test(folder, holds_a_run_once_it_was_made)
{
    cr_assert_not(qs_run_folder_is(folder));
    cr_assert_eq(qs_run_folder_make(folder, NULL), QS_OK);
    cr_assert(qs_run_folder_is(folder));
    cr_assert_eq(qs_run_folder_make(folder, NULL), QS_OK, "nothing was trained in it yet");
}

Test(folder, that_holds_a_run_is_not_given_to_another)
{
    qs_error err;
    cr_assert_eq(qs_run_folder_make(folder, NULL), QS_OK);
    put(QS_FILE_CHECKPOINT);
    cr_assert_eq(qs_run_folder_make(folder, &err), QS_E_ARG);
    cr_assert_not_null(strstr(err.text, "--resume"), "%s", err.text);
}

Test(folder, sweeping_takes_half_written_files_of_a_run_alone)
{
    cr_assert_eq(qs_run_folder_make(folder, NULL), QS_OK);
    put("model.keras.12-3.new");
    put("checkpoint/last.safetensors.4-1.new");
    put("model.keras");
    put("notes.new");
    put("model.keras.new.txt");
    qs_run_folder_sweep(folder);
    cr_assert_not(qs_run_folder_has(folder, "model.keras.12-3.new"));
    cr_assert_not(qs_run_folder_has(folder, "checkpoint/last.safetensors.4-1.new"));
    cr_assert(qs_run_folder_has(folder, "model.keras"));
    cr_assert(qs_run_folder_has(folder, "notes.new"));
    cr_assert(qs_run_folder_has(folder, "model.keras.new.txt"));
}

Test(folder, lines_are_added_at_the_end)
{
    const unsigned char *bytes;
    size_t n;
    cr_assert_eq(qs_run_folder_append(folder, "a.csv", "one\n", NULL), QS_OK);
    cr_assert_eq(qs_run_folder_append(folder, "a.csv", "two\n", NULL), QS_OK);
    char *path = qs_run_folder_path(folder, "a.csv");
    cr_assert_eq(qs_file_map(path, &bytes, &n, NULL), QS_OK);
    cr_assert_eq(n, 8);
    cr_assert_arr_eq(bytes, "one\ntwo\n", 8);
    qs_file_unmap(bytes, n);
}

Test(folder, what_cannot_be_added_to_says_why)
{
    qs_error err;
    cr_assert_eq(qs_run_folder_append("/dev", "full", "one\n", &err), QS_E_IO);
    cr_assert_not_null(strstr(err.text, "No space left"), "%s", err.text);
}
