/* SPDX-License-Identifier: MIT */
/* digits.h - the embedded set of digits: made when the library is built. Private. */
#ifndef QS_DATA_DIGITS_H
#define QS_DATA_DIGITS_H

enum { QS_DIGITS_ROWS = 1797, QS_DIGITS_TRAIN = 1500, QS_DIGITS_SIDE = 8 };

extern const unsigned char qs_digits_pixels[]; /* [rows, side, side], 0 to 16 */
extern const unsigned char qs_digits_labels[]; /* [rows] */

#endif
