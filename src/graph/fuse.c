/* SPDX-License-Identifier: MIT */
/* fuse.c - neighbours in the forward section that one kernel can do while the numbers are in L1. */
#include "graph/graph.h"
#include "kernels/dense.h"

/* How many forward calls read a tensor. */
static int readers(const qs_call *calls, size_t n, int tensor)
{
    int found = 0;
    for (size_t k = 0; k < n; k++)
        for (int i = 0; i < QS_IN; i++)
            found += calls[k].in[i] == tensor;
    return found;
}

/* dropout becomes part of the dense call whose output nobody else sees. */
static bool drop_in_dense(qs_call *calls, size_t n, size_t k)
{
    qs_call *dense = &calls[k];
    const qs_call *next = &calls[k + 1];
    if (dense->op != QS_OP_dense || next->op != QS_OP_dropout || next->in[0] != dense->out[0] ||
        dense->dim[QS_DENSE_DROPS] || readers(calls, n, dense->out[0]) != 1)
        return false;
    dense->dim[QS_DENSE_DROPS] = 1;
    dense->dim[QS_DENSE_TENSOR] = next->dim[1];
    dense->arg[QS_DENSE_RATE] = next->arg[0];
    dense->out[0] = next->out[0];
    return true;
}

void qs_graph_fuse(qs_graph *g)
{
    qs_call *calls;
    for (size_t k = 0; k + 1 < qs_graph_forward(g, &calls); k++)
        if (drop_in_dense(calls, qs_graph_forward(g, &calls), k))
            qs_graph_remove(g, k + 1);
}
