/* SPDX-License-Identifier: MIT */
/* rig.h - one kernel with everything it is given: buffers between guard zones, sizes, a step.
 *
 * A case fills a rig from its key; then the kernel of the `ref` rung runs on it, then another's, and
 * every buffer must hold the same up to rounding.
 */
#ifndef QS_TESTS_OPS_RIG_H
#define QS_TESTS_OPS_RIG_H

#include "kernels/kernels.h"

enum { RIG_BUFFERS = 24, RIG_SUMS = 4, RIG_STORED = 8, RIG_TEXT = 400, RIG_NONE = -1 };

/* How a buffer is laid out, and so what of it is padding. */
typedef enum rig_layout {
    RIG_LANES,   /* [rows] features by lanes, slice after slice: kernels of slices get their part */
    RIG_PACKED,  /* [rows] repeats of all lanes by blocks of cols, as `pack` makes it */
    RIG_BLOCKED, /* a matrix [rows, cols] in blocks */
    RIG_ROWS     /* [rows] of cols, each padded to 16 */
} rig_layout;

typedef enum rig_use {
    RIG_READ,  /* must come out as it went in */
    RIG_WRITE, /* starts as NaN: what the kernel leaves out shows */
    RIG_CHANGE /* starts with numbers */
} rig_use;

typedef struct rig_buffer {
    const char *name;
    rig_layout layout;
    rig_use use;
    size_t rows, cols, floats;
    double depth;   /* products summed into one element; 0: elementwise */
    bool activated; /* elementwise work after the products */
    bool zero;      /* padding must be zero afterwards, else finite */
    float *now, *start, *want;
} rig_buffer;

typedef struct rig {
    qs_op op;
    int kind;      /* which activation, loss, … */
    bool large;    /* largest sizes, for timing */
    uint64_t key;  /* of everything random */
    uint64_t next; /* counter under it */
    size_t n;
    qs_slicing slicing;
    qs_step step;
    int32_t dim[QS_DIMS];
    float arg[QS_ARGS];
    int in[QS_IN], out[QS_OUT]; /* buffers or RIG_NONE */
    struct rig_param {
        bool used;
        qs_param_args args;
        int weight, grad, slot[QS_OPTIM_SLOTS];
    } param, bias;
    size_t items;
    double sum_start[RIG_SUMS];
    double *sum, *sum_want; /* [slices or 1][RIG_SUMS] */
    bool exact_sums;        /* counts: no rounding */
    rig_buffer buffer[RIG_BUFFERS];
    int buffers;
    struct {
        void *at;
        size_t bytes;
    } stored[RIG_STORED];
    int stores;
} rig;

typedef void (*rig_setup)(rig *r);

/* Sizes and slicing from key, then what setup adds. */
void rig_open(rig *r, qs_op op, int kind, uint64_t key, bool large, rig_setup setup);
void rig_close(rig *r);

/* ---- for setups ---- */

size_t rig_pick(rig *r, size_t most); /* 1 … most: often an edge of the layout */
bool rig_flip(rig *r);
double rig_between(rig *r, double low, double high);

/* A buffer with numbers in [-1, 1], padding of RIG_LANES too (what it holds must not matter). */
int rig_add(rig *r, const char *name, rig_layout layout, rig_use use, size_t rows, size_t cols);
int rig_lanes(rig *r, const char *name, rig_use use, size_t features);

void rig_fill(rig *r, int buffer, double low, double high);
void rig_clear_padding(rig *r, int buffer);
void rig_need_zero(rig *r, int buffer); /* afterwards; clears it before, too */

/* A parameter; matrix or vector (rows 1). Its gradient is kept where `kept`. */
void rig_param(rig *r, struct rig_param *p, bool matrix, size_t rows, size_t cols, bool kept);

/* Memory that ends where the next byte cannot be read: rows as a data set stores them. */
void *rig_store(rig *r, size_t bytes);

/* ---- running ---- */

void rig_prepare(rig *r); /* everything as it was at the start */
void rig_call(rig *r, const qs_kernel_tables *tables);
void rig_run(rig *r, const qs_kernel_tables *tables); /* both */
void rig_keep(rig *r); /* what is there now is what all others must give */

/* Whether all that the kernel left is as it should be; else text says what is not. */
bool rig_sound(const rig *r, char text[RIG_TEXT]);   /* guards, inputs, padding, finite */
bool rig_matches(const rig *r, char text[RIG_TEXT]); /* what rig_keep() kept */

/* The largest difference that rounding explains: products of `depth` terms, or elementwise work, on
 * an element that should be `want` in a buffer of root mean square `rms`. */
double rig_allowed(const rig_buffer *b, double rms, double want);

#endif
