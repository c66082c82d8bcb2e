/* SPDX-License-Identifier: MIT */
/* fuzz_image.c - whatever the bytes, PNG and JPEG decoding answers and writes inside its array. */
#include "data/image.h"

#include "base/alloc.h"
#include "data_target.h"

enum { MOST = 1 << 24 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    qs_image image;
    if (qs_image_parse(bytes, size, &image, NULL) != QS_OK ||
        image.height * image.width * image.channels > MOST)
        return 0;
    const size_t n = image.height * image.width * image.channels;
    unsigned char *const out = qs_malloc(n);
    const qs_array array = {.data = out, .dtype = QS_U8, .rank = 1, .dim = {n}};
    for (size_t i = 0; out && i < n; i++)
        out[i] = 0;
    if (out && qs_image_decode(bytes, size, &image, out, NULL) == QS_OK)
        touch(&array);
    qs_free(out);
    return 0;
}
