"""The same training in Keras and in quickstep, on random models.

Case N is seed N: `pytest tests/keras -k "seed7"` repeats one alone. Every run is also done in
float64, which says how far rounding moves it; ten times that, and at least 1e-6, is allowed, with a
relative 1e-5 (the rule of the recorded fixtures).
"""
import json
import os
import pathlib
import subprocess

import keras
import numpy as np
import pytest

from cases import build, make_case

CASES = int(os.environ.get("QS_KERAS_CASES", "30"))
PROGRAM = pathlib.Path(os.environ.get("QS_BUILD", "build"), "quickstep").resolve()


class RunningLoss(keras.callbacks.Callback):
    """The mean loss of the epoch so far, after each step: what Keras shows."""

    def __init__(self):
        super().__init__()
        self.values = []

    def on_train_batch_end(self, batch, logs=None):
        self.values.append(logs["loss"])


def fit(model, case, epochs, dtype):
    watch = RunningLoss()
    weight = None if case.sample_weight is None else case.sample_weight.astype(dtype)
    y = case.y if case.y.dtype.kind == "i" else case.y.astype(dtype)
    history = model.fit(case.x.astype(dtype), y, sample_weight=weight,
                        class_weight=case.class_weight, validation_split=case.validation_split,
                        batch_size=case.batch, epochs=epochs, shuffle=False, verbose=0,
                        callbacks=[watch])
    return np.array(watch.values), history.history


def everything(model, case, dtype):
    """All that a run comes to, and what one more epoch gives."""
    running, history = fit(model, case, case.epochs, dtype)
    found = {"running loss": running, **{k: np.array(v) for k, v in history.items()}}
    found["weights"] = [np.array(w) for w in model.get_weights()]
    found["predictions"] = model.predict(case.x.astype(dtype), batch_size=64, verbose=0)
    return found


def distance(a, b):
    a, b = (v if isinstance(v, list) else [v] for v in (a, b))
    return max(float(np.max(np.abs(np.asarray(p, "float64") - q), initial=0)) for p, q in zip(a, b))


def assert_close(what, got, want, gap):
    got, want = (v if isinstance(v, list) else [np.asarray(v)] for v in (got, want))
    assert len(got) == len(want), what
    for index, (a, b) in enumerate(zip(got, want)):
        a, b = np.asarray(a, "float64"), np.asarray(b, "float64")
        assert a.shape == b.shape, f"{what}[{index}]: {a.shape} instead of {b.shape}"
        ratio = np.abs(a - b) / (max(10 * gap, 1e-6) + 1e-5 * np.abs(b))
        at = np.unravel_index(np.argmax(ratio), ratio.shape) if ratio.size else ()
        assert not ratio.size or ratio[at] <= 1, (
            f"{what}[{index}]{[int(i) for i in at]} is {a[at]:.9g}, Keras has {b[at]:.9g}: "
            f"{ratio[at]:.3g} times too far (gap to float64 {gap:.1e})")


def quickstep(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True,
                          timeout=300, check=False)
    assert done.returncode == 0, f"{' '.join(map(str, arguments))}\n{done.stderr}"
    return json.loads(done.stdout)


def train_here(model, data, case, epochs, *more):
    options = ["--data", data, "--epochs", epochs, "--batch", case.batch, "--no-shuffle", "--json",
               "--steps-json", "--no-out", "--device", "cpu", *more]
    if case.class_weight:
        options += ["--class-weight", ",".join(f"{k}={v}" for k, v in case.class_weight.items())]
    if case.validation_split:
        options += ["--validation-split", repr(case.validation_split)]
    return quickstep("train", model, *options)


def running_means(losses, case, epochs):
    """Step losses → mean of the epoch so far, as Keras keeps it."""
    rows = len(case.x)
    if case.validation_split:
        rows = int(np.floor(rows * (1 - case.validation_split)))
    sizes = [min(case.batch, rows - start) for start in range(0, rows, case.batch)]
    assert len(losses) == epochs * len(sizes)
    epoch = np.reshape(losses, (epochs, len(sizes)))
    return (np.cumsum(epoch * sizes, axis=1) / np.cumsum(sizes)).ravel()


def write_data(case, path):
    arrays = {"x": case.x, "y": case.y}
    if case.sample_weight is not None:
        arrays["sample_weight"] = case.sample_weight
    np.savez(path, **arrays)


def compare_training(folder, case, want, gaps, ending):
    result = train_here(folder / "start.keras", folder / "data.npz", case, case.epochs,
                        "--save", folder / f"here{ending}")
    assert_close("running loss", running_means(result["step_losses"], case, case.epochs),
                 want["running loss"], gaps["running loss"])
    for key in set(want) - {"running loss", "weights", "predictions", "learning_rate"}:
        got = np.array([epoch[key] for epoch in result["epochs"]])
        assert_close(key, got, want[key], gaps[key])


def compare_file(folder, case, want, gaps, ending):
    """What was saved here opens in Keras: the same weights and outputs."""
    loaded = keras.models.load_model(folder / f"here{ending}")
    assert_close("weights", loaded.get_weights(), want["weights"], gaps["weights"])
    outputs = loaded.predict(case.x, batch_size=64, verbose=0)
    quickstep("predict", folder / f"here{ending}", "--data", folder / "data.npz", "--out",
              folder / "y.npy", "--json")
    assert_close("outputs of the saved file", np.load(folder / "y.npy").reshape(outputs.shape),
                 outputs, 0)
    assert_close("predictions", outputs, want["predictions"], gaps["predictions"])
    return loaded


def compare_going_on(folder, case, loaded, went_on, gap, ending):
    """One more epoch from each saved state is the epoch that would have come."""
    if ending == ".keras":  # Keras cannot go on from .h5, its own or ours: the optimizer is lost
        assert_close("going on in Keras", fit(loaded, case, 1, "float32")[0], went_on, gap)
    for name in (f"trained{ending}", f"here{ending}"):
        here = train_here(folder / name, folder / "data.npz", case, 1)
        assert_close(f"going on here from {name}",
                     running_means(here["step_losses"], case, 1), went_on, gap)


@pytest.mark.parametrize("seed", range(CASES), ids=lambda seed: f"seed{seed}")
def test_same_numbers(seed, tmp_path):
    case = make_case(seed)
    print(case)
    model = build(case)
    model.save(tmp_path / "start.keras")
    write_data(case, tmp_path / "data.npz")
    want = everything(model, case, "float32")

    twin = build(case, "float64")
    exact = everything(twin, case, "float64")
    gaps = {key: distance(value, exact.get(key, value)) for key, value in want.items()}
    ending = ".keras" if seed % 2 else ".h5"
    model.save(tmp_path / f"trained{ending}")
    went_on = fit(model, case, 1, "float32")[0]
    gap_on = distance(went_on, fit(twin, case, 1, "float64")[0])
    keras.config.set_floatx("float32")

    compare_training(tmp_path, case, want, gaps, ending)
    loaded = compare_file(tmp_path, case, want, gaps, ending)
    compare_going_on(tmp_path, case, loaded, went_on, gap_on, ending)
