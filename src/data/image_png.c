/* SPDX-License-Identifier: MIT */
/* image_png.c - PNG by libpng. */
#include <png.h>
#include <string.h>

#include "data/image.h"

static qs_status open_png(const unsigned char *bytes, size_t n, png_image *png, qs_error *err)
{
    memset(png, 0, sizeof *png);
    png->version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(png, bytes, n))
        return qs_fail(err, QS_E_FORMAT, "damaged PNG picture: %s", png->message);
    return QS_OK;
}

qs_status qs_png_parse(const unsigned char *bytes, size_t n, qs_image *out, qs_error *err)
{
    png_image png;
    QS_TRY(open_png(bytes, n, &png, err));
    *out = (qs_image){.height = png.height,
                      .width = png.width,
                      .channels = png.format & PNG_FORMAT_FLAG_COLOR ? 3 : 1};
    png_image_free(&png);
    return QS_OK;
}

qs_status qs_png_decode(const unsigned char *bytes, size_t n, const qs_image *as,
                        unsigned char *out, qs_error *err)
{
    static const png_color black;
    png_image png;
    QS_TRY(open_png(bytes, n, &png, err));
    if (png.height != as->height || png.width != as->width) {
        png_image_free(&png);
        return qs_fail(err, QS_E_FORMAT, "the picture changed while it was read");
    }
    png.format = as->channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    const bool good = png_image_finish_read(&png, &black, out, 0, NULL);
    const bool whole = good && png.warning_or_error == 0;
    const qs_status status =
        whole ? QS_OK : qs_fail(err, QS_E_FORMAT, "damaged PNG picture: %s", png.message);
    png_image_free(&png);
    return status;
}
