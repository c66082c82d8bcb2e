/* SPDX-License-Identifier: MIT */
/* dense.h - what the numbers of the dense calls mean. Private. */
#ifndef QS_KERNELS_DENSE_H
#define QS_KERNELS_DENSE_H

/* dim of dense, dense_dx, dense_dz, pack and dense_dw. */
enum {
    QS_DENSE_IN,
    QS_DENSE_OUT,
    QS_DENSE_REPEAT,     /* rows of a sample that the layer acts on */
    QS_DENSE_ACTIVATION, /* applied in the call, its slope made from its output; -1: none */
    QS_DENSE_CHUNK,      /* dense_dw: rows of one item */
    QS_DENSE_DROPS,      /* dropout follows the activation */
    QS_DENSE_TENSOR      /* dropout: whose random numbers */
};

/* arg: those of the activation, then */
enum { QS_DENSE_RATE = 4 };

#endif
