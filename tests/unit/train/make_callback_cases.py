"""Writes callback_cases.txt: what Keras' own callbacks do with made-up scores.

Each line: kind; text of the option; scores; results. Results of an early stop: the epoch it ended
after (0: never), the epoch whose weights were put back (0: none). Of a reduction: the learning rate
after each epoch. Run with a Python that has Keras 3.
"""
import random
import sys

import keras


class Model:
    """What the callbacks ask of a model; weights are the number of the epoch."""

    metrics = []

    def __init__(self):
        self.optimizer = keras.optimizers.SGD(learning_rate=0.1)
        self.stop_training = False
        self.epoch = 0
        self.restored = 0

    def get_weights(self):
        return self.epoch

    def set_weights(self, weights):
        self.restored = weights


def start(callback):
    model = Model()
    callback.set_model(model)
    callback.on_train_begin()
    return model


def early(options, scores):
    callback = keras.callbacks.EarlyStopping(**options)
    model, ended = start(callback), 0
    for i, score in enumerate(scores):
        model.epoch = i + 1
        callback.on_epoch_end(i, {"val_loss": score})
        if model.stop_training:
            ended = i + 1
            break
    callback.on_train_end()
    return [ended, model.restored]


def plateau(options, scores):
    callback = keras.callbacks.ReduceLROnPlateau(**options)
    model, rates = start(callback), []
    for i, score in enumerate(scores):
        callback.on_epoch_end(i, {"val_loss": score})
        rates.append(float(model.optimizer.learning_rate))
    return rates


def text(options):
    return "val_loss:" + ",".join(f"{k}={str(v).lower()}" for k, v in options.items())


def scores_of(rng):
    """Falls, then wanders; rounded so that equal scores and exact deltas occur."""
    n, level, out = rng.randint(3, 25), 1.0, []
    for _ in range(n):
        level += rng.choice([-0.25, -0.125, -0.0625, 0.0, 0.0, 0.0625, 0.125])
        out.append(max(level, 0.0))
    return out


def early_options(rng):
    options = {"patience": rng.randint(0, 4), "min_delta": rng.choice([0, 0, 0.0625, 0.125, -0.0625]),
               "mode": rng.choice(["auto", "min", "max"])}
    if rng.random() < 0.4:
        options["baseline"] = rng.choice([0.5, 0.75, 1.0])
    if rng.random() < 0.4:
        options["start_from_epoch"] = rng.randint(0, 5)
    if rng.random() < 0.7:
        options["restore_best_weights"] = True
    return options


def plateau_options(rng):
    return {"factor": rng.choice([0.1, 0.5, 0.9]), "patience": rng.randint(0, 3),
            "min_delta": rng.choice([0, 0.0001, 0.0625]), "cooldown": rng.randint(0, 3),
            "min_lr": rng.choice([0, 0.01, 0.001]), "mode": rng.choice(["auto", "min", "max"])}


def main():
    rng = random.Random(11)
    kinds = [("early", early_options, early), ("plateau", plateau_options, plateau)]
    for kind, options_of, results_of in kinds:
        for _ in range(100):
            options, scores = options_of(rng), scores_of(rng)
            results = results_of(options, scores)
            print(kind, text(options), ",".join(map(repr, scores)), ",".join(map(repr, results)),
                  sep=";")


sys.exit(main())
