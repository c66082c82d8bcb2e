/* SPDX-License-Identifier: MIT */
/* image.h - PNG and JPEG pictures in memory become bytes. Private. */
#ifndef QS_DATA_IMAGE_H
#define QS_DATA_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fail.h"

typedef struct qs_image {
    size_t height, width, channels; /* 1: grey, 3: red, green, blue */
} qs_image;

/* What the header says. Errors: QS_E_FORMAT, also where so few bytes cannot hold such a picture. */
qs_status qs_image_parse(const unsigned char *bytes, size_t n, qs_image *out, qs_error *err);

/* Decode as `as` says (of the header's size; grey may be asked for as colour): out [height, width,
 * channels]. What is transparent is laid on black. Errors: QS_E_FORMAT, damaged or cut off. */
qs_status qs_image_decode(const unsigned char *bytes, size_t n, const qs_image *as,
                          unsigned char *out, qs_error *err);

/* The two kinds, as qs_image_parse and qs_image_decode. */
qs_status qs_png_parse(const unsigned char *bytes, size_t n, qs_image *out, qs_error *err);
qs_status qs_png_decode(const unsigned char *bytes, size_t n, const qs_image *as,
                        unsigned char *out, qs_error *err);
qs_status qs_jpeg_parse(const unsigned char *bytes, size_t n, qs_image *out, qs_error *err);
qs_status qs_jpeg_decode(const unsigned char *bytes, size_t n, const qs_image *as,
                         unsigned char *out, qs_error *err);

#endif
