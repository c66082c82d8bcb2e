/* SPDX-License-Identifier: MIT */
/* image_jpeg.c - JPEG by libjpeg; what it only warns of is an error here. */
#include <setjmp.h>
#include <stdio.h>
/* jpeglib.h needs stdio.h before it */
#include <jpeglib.h>

#include "data/image.h"

typedef struct decoder {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr report;
    char message[JMSG_LENGTH_MAX];
    jmp_buf failed;
} decoder;

static void on_error(j_common_ptr jpeg)
{
    decoder *const d = jpeg->client_data;
    d->report.format_message(jpeg, d->message);
    longjmp(d->failed, 1);
}

/* A warning: the picture would come out, but wrong. */
static void on_message(j_common_ptr jpeg, int level)
{
    if (level < 0)
        on_error(jpeg);
}

static void begin(decoder *d, const unsigned char *bytes, size_t n)
{
    jpeg_mem_src(&d->jpeg, bytes, n);
    jpeg_read_header(&d->jpeg, TRUE);
}

static void open_decoder(decoder *d)
{
    d->jpeg.err = jpeg_std_error(&d->report);
    d->report.error_exit = on_error;
    d->report.emit_message = on_message;
    d->jpeg.client_data = d;
    jpeg_create_decompress(&d->jpeg);
    d->jpeg.client_data = d;
}

static qs_status damaged(decoder *d, qs_error *err)
{
    const qs_status status = qs_fail(err, QS_E_FORMAT, "damaged JPEG picture: %s", d->message);
    jpeg_destroy_decompress(&d->jpeg);
    return status;
}

qs_status qs_jpeg_parse(const unsigned char *bytes, size_t n, qs_image *out, qs_error *err)
{
    decoder d = {.message = ""};
    if (setjmp(d.failed))
        return damaged(&d, err);
    open_decoder(&d);
    begin(&d, bytes, n);
    *out = (qs_image){.height = d.jpeg.image_height,
                      .width = d.jpeg.image_width,
                      .channels = d.jpeg.jpeg_color_space == JCS_GRAYSCALE ? 1 : 3};
    jpeg_destroy_decompress(&d.jpeg);
    return QS_OK;
}

static void decode(decoder *d, const qs_image *as, unsigned char *out)
{
    const size_t stride = as->width * as->channels;
    d->jpeg.out_color_space = as->channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
    jpeg_start_decompress(&d->jpeg);
    while (d->jpeg.output_scanline < d->jpeg.output_height) {
        JSAMPROW row = out + d->jpeg.output_scanline * stride;
        jpeg_read_scanlines(&d->jpeg, &row, 1);
    }
    jpeg_finish_decompress(&d->jpeg);
}

qs_status qs_jpeg_decode(const unsigned char *bytes, size_t n, const qs_image *as,
                         unsigned char *out, qs_error *err)
{
    decoder d = {.message = ""};
    if (setjmp(d.failed))
        return damaged(&d, err);
    open_decoder(&d);
    begin(&d, bytes, n);
    const bool same = d.jpeg.image_height == as->height && d.jpeg.image_width == as->width;
    if (same)
        decode(&d, as, out);
    jpeg_destroy_decompress(&d.jpeg);
    return same ? QS_OK : qs_fail(err, QS_E_FORMAT, "the picture changed while it was read");
}
