"""Milliseconds a step of the default network in Keras: peer_keras.py BATCH STEPS → JSON."""
import json
import os
import sys
import time

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np


def default_network():
    layers = [keras.Input((784,))]
    for units in (750, 150, 50, 50):
        layers += [keras.layers.Dense(units, activation="relu"), keras.layers.Dropout(0.2)]
    return keras.Sequential([*layers, keras.layers.Dense(10, activation="softmax")])


def main():
    batch, steps = int(sys.argv[1]), int(sys.argv[2])
    rng = np.random.default_rng(1)
    x = rng.random((batch * steps, 784), dtype="float32")
    y = np.eye(10, dtype="float32")[rng.integers(0, 10, batch * steps)]
    model = default_network()
    model.compile(loss="categorical_crossentropy", optimizer="nadam", metrics=["accuracy"])
    model.fit(x, y, batch_size=batch, epochs=1, verbose=0)
    began = time.perf_counter()
    model.fit(x, y, batch_size=batch, epochs=1, verbose=0)
    print(json.dumps({"ms_per_step": 1000 * (time.perf_counter() - began) / steps}))


if __name__ == "__main__":
    main()
