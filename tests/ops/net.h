/* SPDX-License-Identifier: MIT */
/* net.h - a small network with a batch: its loss in training, for any weights. */
#ifndef QS_TESTS_OPS_NET_H
#define QS_TESTS_OPS_NET_H

#include "kernels/kernels.h"
#include "nets.h"
#include "ops_test.h"
#include "train/trainer_parts.h"

enum { NET_SAMPLES = 19, NET_FLOATS = 2048 };

typedef struct net {
    qs_model *model;
    qs_trainer *trainer;
    qs_program *program; /* as training, but nothing is updated */
    qs_exec *exec;
    qs_step step;
    double loss; /* of the last net_loss() */
    float x[NET_FLOATS], y[NET_FLOATS], w[NET_SAMPLES];
    int32_t label[NET_SAMPLES];
    qs_array xs, ys, ws;
} net;

/* Random weights and a random batch; a trainer of plain descent on so many threads. */
qs_status net_open(net *n, const net_case *c, uint64_t seed, int threads, qs_error *err);
void net_close(net *n);

/* The loss of the batch with the model's weights as they are, penalties included, dropout as the
 * gradient sees it. */
double net_loss(net *n);

/* Of weight `index` by qs_trainer_gradient(). */
qs_status net_gradient(net *n, int index, float *out, qs_error *err);

/* Cases that options ask for: how many; their names, for --list; what one is, after a failure. */
int net_count(const ops_options *o);
int net_list(const ops_options *o);
void net_print(const net_case *c);

#endif
