/* SPDX-License-Identifier: MIT */
/** @file data.h  Samples and labels: files, named sets, arrays in memory, own sources. */
#ifndef QUICKSTEP_DATA_H
#define QUICKSTEP_DATA_H

#include <stddef.h>
#include <stdint.h>

#include "quickstep/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { QS_MAX_RANK = 6 };

typedef enum qs_dtype {
    QS_F32,
    QS_F64,
    QS_U8,
    QS_I8,
    QS_I16,
    QS_U16,
    QS_I32,
    QS_U32,
    QS_I64
} qs_dtype;

/** Bytes of one element; 0 for an unknown @p dtype. */
QS_API size_t qs_dtype_bytes(qs_dtype dtype);
QS_API const char *qs_dtype_name(qs_dtype dtype); /**< "f32", "u8", …; never NULL */

/** An array in memory, C order, slowest axis first. Borrowed: must outlive what is made of it. */
typedef struct qs_array {
    const void *data;
    qs_dtype dtype;
    int rank;
    size_t dim[QS_MAX_RANK];
} qs_array;

typedef struct qs_data qs_data; /**< Opaque: a set of samples. Read-only and shareable once open. */

/** How to open a set. Start from QS_DATA_OPTIONS; new fields go at the end. */
typedef struct qs_data_options {
    size_t bytes;        /**< sizeof(qs_data_options) */
    const char *scale;   /**< none|unit|l1|l2|max|standard|minmax; NULL means none */
    const qs_data *like; /**< take standard/minmax statistics and class names of this set */
    double held_back;    /**< fraction of the last rows that statistics leave out: what
                            qs_data_split() will cut off to validate */
} qs_data_options;

#define QS_DATA_OPTIONS                                                                            \
    {                                                                                              \
        sizeof(qs_data_options), NULL, NULL, 0                                                     \
    }

/**
 * Open what @p spec names: "fashion-mnist[:test]", "mnist[:test]", "digits[:test]",
 * "synthetic:N,SHAPE,CLASSES", "FILE.npz[:X,Y[,W]]", "X.npy,Y.npy", "IMAGES,LABELS" (IDX, .gz or
 * not), "FILE.csv[:label=COLUMN]", "FILE.h5:X,Y", a folder with one sub-folder of images per class.
 *
 * Shapes  x [n, sample shape] stored as in the file (u8 stays u8); y [n] integers or
 *         [n, outputs] f32; w [n] f32
 * Errors  QS_E_MISSING  no such set or file: the text says where it was looked for and what
 *                       provides it
 *         QS_E_FORMAT   the file is malformed: the text has the place and the numbers
 *         QS_E_DATA     a sample holds NaN or Inf, or a row is ragged: the text has its index
 */
QS_API qs_status qs_data_open(const char *spec, const qs_data_options *options, qs_data **out,
                              qs_error *err);

/**
 * Make a set of arrays the caller owns; @p y and @p w may be NULL. Nothing is copied.
 * Errors  QS_E_SHAPE  first axes differ  ·  QS_E_DATA  NaN or Inf in a sample
 */
QS_API qs_status qs_data_wrap(const qs_array *x, const qs_array *y, const qs_array *w,
                              const qs_data_options *options, qs_data **out, qs_error *err);

/** A source of the caller's own: rows are asked for by index, from several threads at once. */
typedef struct qs_source {
    size_t bytes; /**< sizeof(qs_source) */
    size_t rows;
    int rank;                  /**< of a sample */
    size_t shape[QS_MAX_RANK]; /**< of a sample */
    qs_dtype dtype;            /**< of x */
    size_t outputs; /**< 0: y is one i32 class per row; else y is [outputs] f32 per row */
    size_t classes; /**< with outputs 0: labels are in [0, classes) */
    /** Write rows index[0..n) to @p x [n, shape] and @p y; return 0, or non-zero to stop with
     * QS_E_IO. */
    int (*read)(void *self, const uint32_t *index, size_t n, void *x, void *y);
    void *self;
} qs_source;

/**
 * Make a set of an own source; it is read by worker threads while training. *source is copied.
 * Errors  QS_E_ARG  no read function, no rows, or a rank out of range
 */
QS_API qs_status qs_data_custom(const qs_source *source, const qs_data_options *options,
                                qs_data **out, qs_error *err);

/**
 * Cut off the last rows for validation, as Keras does: the first floor(n * (1 - fraction)) train.
 * Both parts borrow @p data, which must outlive them.
 * Errors  QS_E_ARG  a part would be empty
 */
QS_API qs_status qs_data_split(const qs_data *data, double fraction, qs_data **train,
                               qs_data **valid, qs_error *err);

/** What a set looks like. */
typedef struct qs_data_info {
    const char *name; /**< as it was asked for */
    size_t rows;
    int rank;                  /**< of a sample */
    size_t shape[QS_MAX_RANK]; /**< of a sample */
    qs_dtype dtype;            /**< as stored */
    size_t outputs;            /**< width of y; 0 where y is one integer class per row, or absent */
    size_t classes;            /**< 1 + the largest label; 0 where y is not integers */
    int has_labels, has_weights;
    const char *test; /**< spec of the set's test part; NULL where it has none */
} qs_data_info;

QS_API void qs_data_describe(const qs_data *data, qs_data_info *out);
QS_API const char *qs_data_class_name(const qs_data *data, size_t index); /**< NULL where unnamed */
QS_API void qs_data_close(qs_data *data);                                 /**< NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
