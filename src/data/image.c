/* SPDX-License-Identifier: MIT */
/* image.c - tells PNG from JPEG. */
#include "data/image.h"

#include <string.h>

enum { MOST_PIXELS_PER_BYTE = 8 * 1032 /* deflate's best, one bit a pixel */ };

static bool is_png(const unsigned char *bytes, size_t n)
{
    return n >= 8 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0;
}

static bool is_jpeg(const unsigned char *bytes, size_t n)
{
    return n >= 3 && memcmp(bytes, "\xff\xd8\xff", 3) == 0;
}

qs_status qs_image_parse(const unsigned char *bytes, size_t n, qs_image *out, qs_error *err)
{
    qs_image image;
    if (!is_png(bytes, n) && !is_jpeg(bytes, n))
        return qs_fail(err, QS_E_FORMAT, "neither a PNG nor a JPEG picture");
    QS_TRY(is_png(bytes, n) ? qs_png_parse(bytes, n, &image, err)
                            : qs_jpeg_parse(bytes, n, &image, err));
    if (image.height == 0 || image.width == 0 ||
        image.height > n * MOST_PIXELS_PER_BYTE / image.width)
        return qs_fail(err, QS_E_FORMAT, "%zu bytes cannot hold a picture of %zux%zu", n,
                       image.width, image.height);
    *out = image;
    return QS_OK;
}

qs_status qs_image_decode(const unsigned char *bytes, size_t n, const qs_image *as,
                          unsigned char *out, qs_error *err)
{
    return is_png(bytes, n) ? qs_png_decode(bytes, n, as, out, err)
                            : qs_jpeg_decode(bytes, n, as, out, err);
}
