/* SPDX-License-Identifier: MIT */
/* default_recipe.h - the model that is meant where none is given. Private. */
#ifndef QS_FORMAT_DEFAULT_RECIPE_H
#define QS_FORMAT_DEFAULT_RECIPE_H

#define QS_DEFAULT_RECIPE                                                                          \
    "model:\n"                                                                                     \
    "  - input: [784]\n"                                                                           \
    "  - dense: {units: 750, activation: relu}\n"                                                  \
    "  - dropout: 0.2\n"                                                                           \
    "  - dense: {units: 150, activation: relu}\n"                                                  \
    "  - dropout: 0.2\n"                                                                           \
    "  - dense: {units: 50, activation: relu}\n"                                                   \
    "  - dropout: 0.2\n"                                                                           \
    "  - dense: {units: 50, activation: relu}\n"                                                   \
    "  - dropout: 0.2\n"                                                                           \
    "  - dense: {units: 10, activation: softmax}\n"                                                \
    "data: {train: fashion-mnist, scale: l2}\n"                                                    \
    "train: {loss: categorical_crossentropy, optimizer: nadam, batch_size: 128, epochs: 10, "      \
    "metrics: [accuracy]}\n"

#endif
