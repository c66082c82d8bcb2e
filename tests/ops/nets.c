/* SPDX-License-Identifier: MIT */
/* nets.c - the list of networks. */
#include "nets.h"

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "nn/init.h"

#define MSE "mean_squared_error"
#define CCE "categorical_crossentropy"

static const net_case nets[] = {
    /* layers */
    {"dense", "6", "dense:units=5|dense:units=3", MSE, NET_VALUES, false},
    {"dense.no_bias", "6", "dense:units=5,use_bias=false|dense:units=3", MSE, NET_VALUES, false},
    {"dense.narrow", "1", "dense:units=1,activation=tanh|dense:units=1", MSE, NET_VALUES, false},
    {"dense.wide", "70", "dense:units=110,activation=tanh|dense:units=50", MSE, NET_VALUES, false},
    {"dense.rank_2", "3,4", "dense:units=5,activation=tanh|dense:units=2", MSE, NET_VALUES, false},
    {"dense.rank_3", "2,3,4", "dense:units=5,activation=tanh|dense:units=2", MSE, NET_VALUES, true},
    {"dense.weighted", "6", "dense:units=5,activation=tanh|dense:units=3", MSE, NET_VALUES, true},
    {"dense.penalties", "6",
     "dense:units=5,activation=tanh,kernel_regularizer=(l1_l2:l1=0.02,l2=0.03),bias_regularizer=("
     "l2:0.1)|dense:units=3,kernel_regularizer=(l1:0.05)",
     MSE, NET_VALUES, false},
    {"dense.activity", "6",
     "dense:units=5,activation=tanh,activity_regularizer=(l1_l2:l1=0.02,l2=0.03)|dense:units=3,"
     "activity_regularizer=(l2:0.1)",
     MSE, NET_VALUES, false},
    {"dense.activity_then_noise", "6",
     "dense:units=5,activation=tanh,activity_regularizer=(l2:0.3)|gaussian_noise:0.1|dense:units=3",
     MSE, NET_VALUES, false},
    {"dense.frozen", "6",
     "dense:units=5,activation=tanh|!dense:units=4,activation=tanh|dense:units=3", MSE, NET_VALUES,
     false},
    {"dense.frozen_first", "6",
     "!dense:units=5,activation=tanh|dense:units=4,activation=tanh|dense:units=3", MSE, NET_VALUES,
     false},
    {"relu", "6", "dense:units=5|relu|dense:units=3", MSE, NET_VALUES, false},
    {"relu.general", "6",
     "dense:units=5|relu:negative_slope=0.2,max_value=0.8,threshold=0.1|dense:units=3", MSE,
     NET_VALUES, false},
    {"leaky_relu", "6", "dense:units=5|leaky_relu|dense:units=3", MSE, NET_VALUES, false},
    {"elu", "6", "dense:units=5|elu:alpha=0.7|dense:units=3", MSE, NET_VALUES, false},
    {"prelu", "6", "dense:units=5|prelu|dense:units=3", MSE, NET_VALUES, false},
    {"prelu.first", "6", "prelu|dense:units=3", MSE, NET_VALUES, false},
    {"prelu.shared_1", "3,4", "prelu:shared_axes=[1]|dense:units=3", MSE, NET_VALUES, false},
    {"prelu.shared_2", "3,4", "dense:units=5|prelu:shared_axes=[2]|dense:units=3", MSE, NET_VALUES,
     false},
    {"prelu.shared_1_3", "2,3,4", "dense:units=3|prelu:shared_axes=[1,3]|flatten|dense:units=3",
     MSE, NET_VALUES, false},
    {"prelu.penalty", "6", "dense:units=5|prelu:alpha_regularizer=(l2:0.1)|dense:units=3", MSE,
     NET_VALUES, false},
    {"softmax", "6", "dense:units=5|softmax|dense:units=3", MSE, NET_VALUES, false},
    {"softmax.rank_2", "3,4", "dense:units=5|softmax|dense:units=2", MSE, NET_VALUES, false},
    {"dropout", "6", "dense:units=9,activation=tanh|dropout:0.3|dense:units=3", MSE, NET_VALUES,
     false},
    {"dropout.relu", "6", "dense:units=9,activation=relu|dropout:0.3|dense:units=3", MSE,
     NET_VALUES, false},
    {"dropout.elsewhere", "6", "dropout:0.2|dense:units=9|relu|dropout:0.4|dense:units=3", MSE,
     NET_VALUES, true},
    {"dropout.last", "6", "dense:units=4,activation=tanh|dropout:0.3", MSE, NET_VALUES, false},
    {"dropout.rank_2", "3,4", "dense:units=5,activation=selu|dropout:0.3|dense:units=2", MSE,
     NET_VALUES, false},
    {"dropout.twice", "6", "dense:units=9,activation=tanh|dropout:0.3|dropout:0.2|dense:units=3",
     MSE, NET_VALUES, false},
    {"gaussian_noise", "6", "dense:units=5,activation=tanh|gaussian_noise:0.3|dense:units=3", MSE,
     NET_VALUES, false},
    {"flatten", "3,4", "dense:units=5,activation=tanh|flatten|dense:units=3", MSE, NET_VALUES,
     false},
    {"reshape", "6", "dense:units=8,activation=tanh|reshape:[2,4]|dense:units=3", MSE, NET_VALUES,
     false},
    {"rescaling", "6", "dense:units=5|rescaling:scale=0.5,offset=0.1|dense:units=3", MSE,
     NET_VALUES, false},
    {"rescaling.channels", "3,4",
     "dense:units=2|rescaling:scale=[0.5,2],offset=[0.1,0.2]|dense:units=3", MSE, NET_VALUES,
     false},
    {"normalization", "6",
     "dense:units=2|normalization:mean=[0.1,0.2],variance=[2,3]|dense:units=3", MSE, NET_VALUES,
     false},
    {"normalization.invert", "6",
     "dense:units=2|normalization:mean=[0.1,0.2],variance=[2,3],invert=true|dense:units=3", MSE,
     NET_VALUES, false},
    {"batch_normalization", "6",
     "dense:units=5,activation=tanh|batch_normalization|dense:units=4,activation=tanh|dense:units="
     "3",
     MSE, NET_VALUES, false},
    {"batch_normalization.first", "6", "batch_normalization|dense:units=3", MSE, NET_VALUES, false},
    {"batch_normalization.plain", "6",
     "dense:units=5|batch_normalization:center=false,scale=false|dense:units=3", MSE, NET_VALUES,
     true},
    {"batch_normalization.rank_2", "3,4", "dense:units=5|batch_normalization|dense:units=3", MSE,
     NET_VALUES, false},
    {"batch_normalization.frozen", "6", "dense:units=5|!batch_normalization|dense:units=3", MSE,
     NET_VALUES, false},
    {"batch_normalization.penalty", "6",
     "dense:units=5|batch_normalization:gamma_regularizer=(l2:0.1),beta_regularizer=(l1:0.1)|dense:"
     "units=3",
     MSE, NET_VALUES, false},
    {"batch_normalization.twice", "6",
     "dense:units=5|batch_normalization|relu|dense:units=20|batch_normalization|dense:units=3", MSE,
     NET_VALUES, false},
    {"layer_normalization", "6",
     "dense:units=5|layer_normalization|dense:units=4,activation=tanh|dense:units=3", MSE,
     NET_VALUES, false},
    {"layer_normalization.first", "6", "layer_normalization|dense:units=3", MSE, NET_VALUES, true},
    {"layer_normalization.plain", "6",
     "dense:units=5|layer_normalization:center=false,scale=false|dense:units=3", MSE, NET_VALUES,
     false},
    {"layer_normalization.rank_2", "3,4", "dense:units=5|layer_normalization|dense:units=3", MSE,
     NET_VALUES, false},
    {"layer_normalization.frozen", "6", "dense:units=5|!layer_normalization|dense:units=3", MSE,
     NET_VALUES, false},
    /* losses; the same ones from what a last softmax or sigmoid was given, hidden from it, rank 2 */
    {"loss.categorical_crossentropy", "6", "dense:units=4,activation=softmax", CCE, NET_ONE_HOT,
     false},
    {"loss.categorical_crossentropy.of_classes", "6", "dense:units=4,activation=softmax", CCE,
     NET_CLASSES, true},
    {"loss.categorical_crossentropy.soft", "6", "dense:units=4,activation=softmax", CCE,
     NET_PROBABILITIES, false},
    {"loss.categorical_crossentropy.smooth", "6", "dense:units=4,activation=softmax",
     CCE ":label_smoothing=0.1", NET_ONE_HOT, true},
    {"loss.categorical_crossentropy.logits", "6", "dense:units=4", CCE ":from_logits=true",
     NET_ONE_HOT, false},
    {"loss.categorical_crossentropy.hidden", "6", "dense:units=4,activation=softmax|reshape:[4]",
     CCE ":label_smoothing=0.1", NET_ONE_HOT, true},
    {"loss.categorical_crossentropy.sigmoid", "6", "dense:units=4,activation=sigmoid", CCE,
     NET_ONE_HOT, false},
    {"loss.categorical_crossentropy.unsure", "6", "dense:units=4,activation=softplus", CCE,
     NET_ONE_HOT, false},
    {"loss.categorical_crossentropy.rank_2", "3,6", "dense:units=4,activation=softmax", CCE,
     NET_ONE_HOT, true},
    {"loss.sparse_categorical_crossentropy", "6", "dense:units=4,activation=softmax",
     "sparse_categorical_crossentropy", NET_CLASSES, true},
    {"loss.sparse_categorical_crossentropy.logits", "6", "dense:units=4",
     "sparse_categorical_crossentropy:from_logits=true", NET_CLASSES, false},
    {"loss.sparse_categorical_crossentropy.hidden", "6",
     "dense:units=4,activation=softmax|reshape:[4]", "sparse_categorical_crossentropy", NET_CLASSES,
     false},
    {"loss.binary_crossentropy", "6", "dense:units=3,activation=sigmoid", "binary_crossentropy",
     NET_BITS, true},
    {"loss.binary_crossentropy.one", "6", "dense:units=1,activation=sigmoid", "binary_crossentropy",
     NET_CLASSES, false},
    {"loss.binary_crossentropy.smooth", "6", "dense:units=3,activation=sigmoid",
     "binary_crossentropy:label_smoothing=0.2", NET_BITS, false},
    {"loss.binary_crossentropy.logits", "6", "dense:units=3",
     "binary_crossentropy:from_logits=true", NET_BITS, false},
    {"loss.binary_crossentropy.hidden", "6", "dense:units=3,activation=sigmoid|reshape:[3]",
     "binary_crossentropy:label_smoothing=0.1", NET_BITS, false},
    {"loss.binary_crossentropy.softmax", "6", "dense:units=3,activation=softmax",
     "binary_crossentropy", NET_BITS, false},
    {"loss.mean_squared_error", "6", "dense:units=3", MSE, NET_VALUES, true},
    {"loss.mean_absolute_error", "6", "dense:units=3", "mean_absolute_error", NET_VALUES, true},
    {"loss.mean_absolute_percentage_error", "6", "dense:units=3", "mean_absolute_percentage_error",
     NET_POSITIVE, false},
    {"loss.mean_squared_logarithmic_error", "6", "dense:units=3,activation=softplus",
     "mean_squared_logarithmic_error", NET_POSITIVE, false},
    {"loss.huber", "6", "dense:units=3", "huber:delta=0.5", NET_VALUES, true},
    {"loss.log_cosh", "6", "dense:units=3", "log_cosh", NET_VALUES, false},
    {"loss.hinge", "6", "dense:units=3", "hinge", NET_VALUES, false},
    {"loss.hinge.zero_one", "6", "dense:units=3", "hinge", NET_BITS, true},
    {"loss.hinge.of_classes", "6", "dense:units=3", "hinge", NET_CLASSES, false},
    {"loss.squared_hinge", "6", "dense:units=3", "squared_hinge", NET_BITS, false},
    {"loss.categorical_hinge", "6", "dense:units=4", "categorical_hinge", NET_ONE_HOT, true},
    {"loss.poisson", "6", "dense:units=3,activation=exponential", "poisson", NET_POSITIVE, false},
    {"loss.kl_divergence", "6", "dense:units=4,activation=softmax", "kl_divergence",
     NET_PROBABILITIES, false},
    {"loss.cosine_similarity", "6", "dense:units=4", "cosine_similarity", NET_VALUES, true},
};

enum { NETS = sizeof nets / sizeof *nets, FORMS = 2, RANDOM_NETS = 40 };

/* Each activation inside a dense layer and as a layer of its own. */
static bool activation_net(size_t index, net_case *out)
{
    static char name[80], layers[120];
    size_t kinds = 0;
    while (qs_activation_registry.kinds[kinds])
        kinds++;
    if (index >= FORMS * kinds)
        return false;
    const char *activation = qs_activation_registry.kinds[index / FORMS]->name;
    const bool inside = index % FORMS == 0;
    snprintf(name, sizeof name, "%s.%s", inside ? "dense" : "activation", activation);
    snprintf(layers, sizeof layers,
             inside ? "dense:units=5,activation=%s|dense:units=3"
                    : "dense:units=5|activation:%s|dense:units=3",
             activation);
    *out = (net_case){name, "6", layers, MSE, NET_VALUES, false};
    return true;
}

/* ---- nets that nobody thought of: layers in any order, for what fuses with what ---- */

typedef struct dice {
    uint64_t key, next;
} dice;

static size_t throw(dice * d, size_t sides)
{
    return (size_t)(qs_random(d->key, d->next++) % sides);
}

static void random_layer(dice *d, char *text, size_t room)
{
    static const char *const smooth[] = {"tanh", "sigmoid", "softplus", "gelu", "selu", "silu"};
    static const char *const others[] = {"dropout:0.3",
                                         "gaussian_noise:0.1",
                                         "batch_normalization",
                                         "layer_normalization",
                                         "prelu",
                                         "rescaling:scale=0.7,offset=0.1",
                                         "activation:tanh",
                                         "softmax",
                                         "batch_normalization:scale=false"};
    const char *frozen = throw(d, 5) == 0 ? "!" : "";
    const size_t kind = throw(d, 12);
    if (kind < 9)
        snprintf(text, room, "%s%s|", frozen, others[kind]);
    else
        snprintf(text, room, "%sdense:units=%zu,activation=%s%s%s|", frozen, 1 + throw(d, 20),
                 smooth[throw(d, 6)], throw(d, 3) ? "" : ",use_bias=false",
                 throw(d, 3) ? "" : ",activity_regularizer=(l2:0.1)");
}

static bool random_net(size_t index, net_case *out)
{
    static char name[32], layers[800];
    static const char *const inputs[] = {"5", "18", "3,4", "2,2,3"};
    dice d = {.key = qs_key(7, index, 0)};
    size_t at = 0;
    if (index >= RANDOM_NETS)
        return false;
    for (size_t n = 2 + throw(&d, 4); n; n--) {
        random_layer(&d, layers + at, sizeof layers - at);
        at += strlen(layers + at);
    }
    snprintf(layers + at, sizeof layers - at,
             throw(&d, 2) ? "dense:units=2" : "flatten|dense:units=2");
    snprintf(name, sizeof name, "random.%zu", index);
    *out = (net_case){name, inputs[throw(&d, 4)], layers, MSE, NET_VALUES, throw(&d, 2) == 0};
    return true;
}

bool net_case_at(size_t index, net_case *out)
{
    if (index < NETS)
        *out = nets[index];
    return index < NETS || random_net(index - NETS, out) ||
           (index >= NETS + RANDOM_NETS && activation_net(index - NETS - RANDOM_NETS, out));
}
