/* SPDX-License-Identifier: MIT */
/* csv_test.c - tables: headers, labels, quotes, and rows that do not fit. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "data/csv.h"
#include "data/data.h"

static char path[] = "/tmp/qs-XXXXXX.csv";

static void setup(void)
{
    const int file = mkstemps(path, 4);
    cr_assert_geq(file, 0);
    close(file);
}

static void teardown(void)
{
    unlink(path);
}

TestSuite(csv, .init = setup, .fini = teardown);

static qs_status try_open(const char *text, const char *label, const qs_data *like, qs_data **out,
                          qs_error *err)
{
    char spec[200];
    const qs_data_options options = {.bytes = sizeof options, .like = like};
    cr_assert_eq(qs_file_write(path, text, strlen(text), NULL), QS_OK);
    snprintf(spec, sizeof spec, "%s%s%s", path, label ? ":label=" : "", label ? label : "");
    return qs_data_open(spec, &options, out, err);
}

static qs_data *open_text(const char *text, const char *label)
{
    qs_data *data = NULL;
    qs_error err = {0};
    cr_assert_eq(try_open(text, label, NULL, &data, &err), QS_OK, "%s", err.text);
    return data;
}

static void refused(const char *text, const char *label, qs_status status, const char *words)
{
    qs_data *data = NULL;
    qs_error err = {0};
    cr_assert_eq(try_open(text, label, NULL, &data, &err), status, "'%s': %s", text, err.text);
    cr_assert(strstr(err.text, words), "'%s' lacks '%s'", err.text, words);
    cr_assert(strstr(err.text, path), "'%s' does not name the file", err.text);
}

/* Rows and columns of samples 1, 2, 3 …, labels 0, 1, 0, 1 … */
static void expect(const char *text, const char *label, size_t rows, size_t columns)
{
    qs_data *data = open_text(text, label);
    cr_assert_eq(data->rows, rows, "'%s' has %zu rows", text, data->rows);
    cr_assert_eq(data->sample.dim[0], columns);
    cr_assert_eq(data->x_type, QS_F32);
    for (size_t i = 0; i < rows * columns; i++)
        cr_assert_eq(((const float *)data->x)[i], (float)i + 1, "'%s': element %zu", text, i);
    for (size_t i = 0; data->y && i < rows; i++)
        cr_assert_eq(((const int32_t *)data->y)[i], (int32_t)(i % 2));
    qs_data_close(data);
}

Test(csv, header_or_not)
{
    expect("1,2,0\n3,4,1\n", NULL, 2, 2);
    expect("a,b,c\n1,2,0\n3,4,1\n", NULL, 2, 2);
    expect("label,b,c\n0,1,2\n1,3,4", NULL, 2, 2);
    expect("b,Target,c\n1,0,2\n3,1,4\n", NULL, 2, 2);
    expect(",a,label\n1,2,0\n3,4,1\n", NULL, 2, 2); /* as pandas writes an index */
}

Test(csv, label_by_name_or_number)
{
    expect("a,b,c\n0,1,2\n1,3,4\n", "a", 2, 2);
    expect("a,b,c\n0,1,2\n1,3,4\n", "0", 2, 2);
    expect("1,0,2\n3,1,4\n", "-2", 2, 2);
    expect("1,2\n3,4\n", "none", 2, 2);
    expect("x\n1\n2\n", "none", 2, 1);
    refused("a,bcd,c\n0,1,2\n", "bdc", QS_E_MISSING, "did you mean 'bcd'");
    refused("1,2\n", "2", QS_E_MISSING, "no column '2' among 2");
    refused("1\n2\n", NULL, QS_E_DATA, ":label=none");
}

Test(csv, forms_of_text)
{
    expect("\xef\xbb\xbf"
           "a,b,c\r\n1,2,0\r\n3,4,1\r\n",
           NULL, 2, 2);
    expect("1;2;0\n\n 3 ;4.0; 1 \n\n", NULL, 2, 2);
    expect("1\t2\t0\r3\t4\t1\r", NULL, 2, 2);
    expect("\"a,1\",\"b\"\"\",\"c\nd\"\n\"1\",\"2\",0\n3,+4e0,1\n", NULL, 2, 2);
}

Test(csv, texts_become_sorted_classes)
{
    qs_data *data = open_text("1,rose\n2,\"iris\"\n3,tulip\n4,iris\n", NULL);
    static const int32_t expected[] = {1, 0, 2, 0};
    cr_assert_eq(data->classes, 3);
    cr_assert_arr_eq(data->y, expected, sizeof expected);
    cr_assert_str_eq(qs_data_class_name(data, 0), "iris");
    cr_assert_str_eq(qs_data_class_name(data, 2), "tulip");

    /* a validation set that lacks classes still counts as the training set does */
    qs_data *other = NULL;
    qs_error err = {0};
    static const int32_t as_trained[] = {2, 1};
    cr_assert_eq(try_open("1,tulip\n2,rose\n", NULL, data, &other, &err), QS_OK, "%s", err.text);
    cr_assert_arr_eq(other->y, as_trained, sizeof as_trained);
    cr_assert_eq(other->classes, 3);
    cr_assert_str_eq(qs_data_class_name(other, 1), "rose");
    cr_assert_neq(other->class_name, data->class_name);
    qs_data_close(other);
    cr_assert_eq(try_open("1,tulip\n2,poppy\n", NULL, data, &other, &err), QS_E_DATA);
    cr_assert(strstr(err.text, "class 'poppy' is not among the 3"), "%s", err.text);
    qs_data_close(data);
}

Test(csv, numbers_as_labels)
{
    qs_data *data = open_text("1,0.5\n2,-1\n", NULL);
    cr_assert_eq(data->outputs, 1);
    cr_assert_eq(((const float *)data->y)[1], -1);
    qs_data_close(data);
}

Test(csv, what_does_not_fit_is_refused_with_its_line)
{
    refused("a,b,c\n1,2,0\n3,4\n", NULL, QS_E_DATA,
            "line 3 (sample 1) has 2 fields, the first line has 3");
    refused("1,2,0\n3,4,1,9\n", NULL, QS_E_DATA, "line 2 (sample 1) has more than 3");
    refused("a,b,c\n1,,0\n", NULL, QS_E_DATA, "line 2 (sample 0): column 1 ('b') is empty");
    refused("1,2,0\n1,red,0\n", NULL, QS_E_DATA, "column 1 holds 'red', which is no number");
    refused("a,b,c\n1,2,\n", NULL, QS_E_DATA, "column 2 ('c') is empty");
    refused("1,2,0\n1,nan,0\n", NULL, QS_E_DATA, "sample 1 holds nan");
    refused("1,2,0\n1,1e39,0\n", NULL, QS_E_DATA, "sample 1 holds 1e+39");
    refused("a,b\n", NULL, QS_E_DATA, "no rows below the first line");
    refused("", NULL, QS_E_DATA, "empty");
    refused("\n\n", NULL, QS_E_DATA, "empty");
    refused("1,2\n\"3,4\n", NULL, QS_E_FORMAT, "line 2: a quote is opened");
    refused("1,2\n\"3\"x,4\n", NULL, QS_E_FORMAT, "line 2: text follows");
    refused("1,2\n", "=", QS_E_MISSING, "no column '='");
}

Test(csv, packed_by_gzip)
{
    char command[200], spec[100];
    qs_data *data = NULL;
    cr_assert_eq(qs_file_write(path, "1,2,0\n3,4,1\n", 12, NULL), QS_OK);
    snprintf(command, sizeof command, "gzip -kf %s", path);
    cr_assert_eq(system(command), 0);
    snprintf(spec, sizeof spec, "%s.gz", path);
    cr_assert_eq(qs_data_open(spec, NULL, &data, NULL), QS_OK);
    cr_assert_eq(data->rows, 2);
    qs_data_close(data);
    unlink(spec);
}
