/* SPDX-License-Identifier: MIT */
/* pack_test.c - arrays come back the same, damage is noticed, nothing is read outside. */
#include "train/pack.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"

static const double wide[3] = {0.1, -2, 1e300};
static const float narrow[4] = {1, 2, 3, 4.5f};
static const qs_pack_item items[] = {{"wide", QS_F64, {1, {3}}, wide},
                                     {"empty", QS_F64, {2, {0, 7}}, wide},
                                     {"layer/kernel", QS_F32, {2, {2, 2}}, narrow}};

static unsigned char *written(size_t *n)
{
    unsigned char *bytes = NULL;
    cr_assert_eq(qs_pack_write(items, 3, "{\"a\":\"\xc3\xa9\"}", &bytes, n, NULL), QS_OK);
    return bytes;
}

Test(pack, arrays_and_text_come_back)
{
    size_t n;
    unsigned char *bytes = written(&n);
    qs_pack pack;
    cr_assert_eq(qs_pack_read(bytes, n, &pack, NULL), QS_OK);
    cr_assert_str_eq(pack.text, "{\"a\":\"\xc3\xa9\"}");
    cr_assert_arr_eq(qs_pack_find(&pack, "wide", QS_F64, 3), wide, sizeof wide);
    cr_assert_arr_eq(qs_pack_find(&pack, "layer/kernel", QS_F32, 4), narrow, sizeof narrow);
    cr_assert_not_null(qs_pack_find(&pack, "empty", QS_F64, 0));
    cr_assert_eq(qs_pack_count(&pack, "wide", QS_F64), 3);
    qs_pack_close(&pack);
    qs_free(bytes);
}

Test(pack, what_is_not_there_is_not_found)
{
    size_t n;
    unsigned char *bytes = written(&n);
    qs_pack pack;
    cr_assert_eq(qs_pack_read(bytes, n, &pack, NULL), QS_OK);
    cr_assert_null(qs_pack_find(&pack, "other", QS_F32, 4));
    cr_assert_null(qs_pack_find(&pack, "wide", QS_F64, 4));
    cr_assert_null(qs_pack_find(&pack, "wide", QS_F32, 6));
    qs_pack_close(&pack);
    qs_free(bytes);
}

Test(pack, is_laid_out_as_safetensors)
{
    size_t n;
    unsigned char *bytes = written(&n);
    const size_t length = (size_t)(bytes[0] | bytes[1] << 8);
    cr_assert_eq((8 + length) % 64, 0, "arrays are aligned");
    cr_assert_eq(n, 8 + length + sizeof wide + sizeof narrow);
    json_t *header = json_loadb((char *)bytes + 8, length, 0, NULL);
    const json_t *offsets =
        json_object_get(json_object_get(header, "layer/kernel"), "data_offsets");
    cr_assert_eq(json_integer_value(json_array_get(offsets, 0)), sizeof wide);
    cr_assert_eq(json_integer_value(json_array_get(offsets, 1)), sizeof wide + sizeof narrow);
    json_decref(header);
    qs_free(bytes);
}

Test(pack, every_cut_is_refused)
{
    size_t n;
    unsigned char *bytes = written(&n);
    qs_pack pack;
    for (size_t cut = 0; cut < n; cut++)
        cr_assert_eq(qs_pack_read(bytes, cut, &pack, NULL), QS_E_FORMAT, "cut at %zu", cut);
    qs_free(bytes);
}

Test(pack, a_changed_array_is_refused)
{
    size_t n;
    unsigned char *bytes = written(&n);
    qs_pack pack;
    qs_error err;
    bytes[n - 1] ^= 1;
    cr_assert_eq(qs_pack_read(bytes, n, &pack, &err), QS_E_FORMAT);
    cr_assert_not_null(strstr(err.text, "checksum"), "%s", err.text);
    qs_free(bytes);
}

/* A valid checksum over a header whose offsets lie outside of what is there. */
Test(pack, offsets_outside_are_not_followed)
{
    const char *header = "{\"__metadata__\":{\"text\":\"\",\"crc32\":\"00000000\"},"
                         "\"far\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]},"
                         "\"back\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[-4,0]}}";
    unsigned char bytes[512] = {(unsigned char)strlen(header)};
    memcpy(bytes + 8, header, strlen(header));
    qs_pack pack;
    cr_assert_eq(qs_pack_read(bytes, 8 + strlen(header), &pack, NULL), QS_OK);
    cr_assert_null(qs_pack_find(&pack, "far", QS_F32, 1));
    cr_assert_null(qs_pack_find(&pack, "back", QS_F32, 1));
    qs_pack_close(&pack);
}
