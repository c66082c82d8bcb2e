"""Files written here open in Keras and say the same; every fixture goes through every format."""
import os
import pathlib
import subprocess

import keras
import numpy as np
import pytest

PROGRAM = pathlib.Path(os.environ.get("QS_BUILD", "build"), "quickstep").resolve()
SOURCE = pathlib.Path(os.environ.get("QS_SOURCE", pathlib.Path(__file__).parents[2]))
GOLDEN = pathlib.Path(os.environ.get("QS_SHARED", SOURCE / ".." / "shared")) / "golden"
LATER = ("Conv", "Pooling", "RNN", "LSTM", "GRU", "Embedding")  # layers of later versions


@keras.saving.register_keras_serializable("golden", "gelu_approximate")
def gelu_approximate(x):
    return keras.activations.gelu(x, approximate=True)


def supported(folder):
    text = (folder / "model.json").read_text()
    return not any(f'"class_name": "{c}' in text or f'{c}"' in text or f'{c}2D' in text
                   or f'{c}1D' in text for c in LATER)


FOLDERS = [f for f in sorted([*GOLDEN.glob("*/model.json"), *GOLDEN.glob("interop/*/model.json")])
           if supported(f.parent)]


def convert(*arguments):
    done = subprocess.run([PROGRAM, "convert", *map(str, arguments)], capture_output=True,
                          text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def configs(model):
    found = [(type(layer).__name__, layer.get_config()) for layer in model.layers
             if not isinstance(layer, keras.layers.InputLayer)]
    for _, config in found:
        if isinstance(config.get("activation"), dict):
            own = config["activation"]["config"]
            if isinstance(own, dict):
                own.pop("name", None)  # counted anew at each load
    return found


def optimizer_of(model):
    config = model.get_compile_config()["optimizer"]["config"]
    return {k: v for k, v in config.items() if k != "name"}


@pytest.mark.parametrize("file", FOLDERS, ids=lambda file: file.parent.name)
@pytest.mark.parametrize("middle", ["yaml", "json"])
def test_layers(file, middle, tmp_path):
    convert(file, tmp_path / f"half.{middle}")
    convert(tmp_path / f"half.{middle}", tmp_path / "whole.json")
    want = keras.models.model_from_json(file.read_text())
    got = keras.models.model_from_json((tmp_path / "whole.json").read_text())
    assert configs(got) == configs(want)
    assert got.input_shape == want.input_shape


@pytest.mark.parametrize("file", FOLDERS, ids=lambda file: file.parent.name)
@pytest.mark.parametrize("ending", [".keras", ".h5"])
def test_whole_models(file, ending, tmp_path):
    start = next((f for f in (file.parent / "start.keras", file.parent / "model.keras")
                  if f.exists()), None)
    if start is None:
        pytest.skip("the fixture has no archive")
    convert(start, tmp_path / f"m{ending}")
    want, got = keras.models.load_model(start), keras.models.load_model(tmp_path / f"m{ending}")
    assert configs(got) == configs(want)
    assert optimizer_of(got) == optimizer_of(want)
    for a, b in zip(got.get_weights(), want.get_weights(), strict=True):
        assert np.array_equal(a, b)
    x = np.load(file.parent / "data.npz")["x"][:5]
    assert np.max(np.abs(got.predict(x, verbose=0) - want.predict(x, verbose=0))) <= 1e-6
    if ending == ".keras":  # Keras itself drops the optimizer's state of .h5
        for a, b in zip(got.optimizer.variables, want.optimizer.variables, strict=True):
            assert np.array_equal(a.numpy(), b.numpy()), a.path


@pytest.mark.parametrize("file", FOLDERS, ids=lambda file: file.parent.name)
def test_weights_alone(file, tmp_path):
    """init.npz into the JSON, out again as a file of Keras and of NumPy."""
    convert("--weights", file.parent / "init.npz", file, tmp_path / "m.keras")
    convert("--lossy", tmp_path / "m.keras", tmp_path / "m.weights.h5")
    convert("--lossy", tmp_path / "m.keras", tmp_path / "m.npz")
    convert("--lossy", tmp_path / "m.keras", tmp_path / "m.safetensors")
    convert("--weights", tmp_path / "m.safetensors", file, tmp_path / "again.keras")
    init = np.load(file.parent / "init.npz")
    want = [init[str(i)] for i in range(len(init.files))]
    model = keras.models.model_from_json(file.read_text())
    model.load_weights(tmp_path / "m.weights.h5")
    written = np.load(tmp_path / "m.npz")
    again = keras.models.load_model(tmp_path / "again.keras").get_weights()
    for i, weight in enumerate(want):
        assert np.array_equal(model.get_weights()[i], weight)
        assert np.array_equal(written[str(i)], weight)
        assert np.array_equal(again[i], weight)


def odd_layers():
    """Every layer with options that no fixture has."""
    r, c, i = keras.regularizers, keras.constraints, keras.initializers
    return [
        keras.layers.Rescaling([1.0, 2.0, 3.0], offset=0.5),
        keras.layers.Normalization(axis=-1),
        keras.layers.Normalization(axis=None),
        keras.layers.Normalization(mean=[1.0, 2.0, 3.0], variance=[1.0, 4.0, 9.0], invert=True),
        keras.layers.Dense(5, activation=keras.layers.LeakyReLU(0.1), name="own",
                           kernel_initializer=i.HeNormal(seed=3), activity_regularizer=r.L1(0.1),
                           kernel_constraint=c.UnitNorm(axis=1), bias_constraint=c.NonNeg()),
        keras.layers.BatchNormalization(momentum=0.5, center=False, gamma_initializer="zeros",
                                        moving_mean_initializer=i.Constant(0.5)),
        keras.layers.PReLU(shared_axes=[1], alpha_initializer=i.RandomUniform(-0.1, 0.1, seed=1)),
        keras.layers.LayerNormalization(epsilon=0.01, scale=False, beta_regularizer="l2"),
        keras.layers.ReLU(max_value=3.0, negative_slope=0.1, threshold=0.2),
        keras.layers.ELU(alpha=0.3), keras.layers.Softmax(), keras.layers.Dropout(0.3, seed=7),
        keras.layers.GaussianNoise(0.1), keras.layers.Activation("hard_silu"),
        keras.layers.Reshape((-1, 2)), keras.layers.Flatten(),
        keras.layers.Dense(2, use_bias=False, trainable=False, dtype="float32",
                           kernel_initializer=i.VarianceScaling(2.0, "fan_out", "truncated_normal")),
    ]


@pytest.mark.parametrize("ending", [".keras", ".h5"])
def test_every_option(ending, tmp_path):
    want = keras.Sequential([keras.Input((4, 3)), *odd_layers()])
    schedule = keras.optimizers.schedules.PiecewiseConstantDecay([10, 20], [0.1, 0.01, 0.001])
    want.compile(keras.optimizers.AdamW(schedule, weight_decay=0.02, clipnorm=1.0, amsgrad=True),
                 keras.losses.Huber(delta=0.5), metrics=["mae", keras.metrics.MeanSquaredError("m")])
    x = np.random.default_rng(1).normal(size=(8, 4, 3)).astype("float32")
    want.fit(x, np.ones((8, 2)), epochs=2, batch_size=4, verbose=0)
    want.save(tmp_path / f"want{ending}")
    convert(tmp_path / f"want{ending}", tmp_path / f"got{ending}")
    got = keras.models.load_model(tmp_path / f"got{ending}")
    assert configs(got) == configs(want)
    for a, b in zip(got.get_weights(), want.get_weights(), strict=True):
        assert np.array_equal(a, b)
    assert np.max(np.abs(got.predict(x, verbose=0) - want.predict(x, verbose=0))) <= 1e-6
    if ending == ".keras":
        for a, b in zip(got.optimizer.variables, want.optimizer.variables, strict=True):
            assert np.array_equal(a.numpy(), b.numpy()), a.path


@pytest.mark.parametrize("make, name", [
    (lambda: keras.layers.Dense(3, dtype="mixed_float16"), "mixed_float16"),
    (lambda: keras.layers.BatchNormalization(axis=1), "axis 1"),
    (lambda: keras.layers.BatchNormalization(renorm=True), "renorm"),
    (lambda: keras.layers.LayerNormalization(rms_scaling=True), "rms_scaling"),
    (lambda: keras.layers.Softmax(axis=1), "axis 1"),
    (lambda: keras.layers.Dropout(0.1, noise_shape=(None, 1, 3)), "noise_shape"),
    (lambda: keras.layers.LSTM(3), "LSTM"),
    (lambda: keras.layers.Bidirectional(keras.layers.LSTM(3)), "Bidirectional"),
    (lambda: keras.layers.Conv1D(3, 2), "Conv1D"),
])
def test_refused_by_name(make, name, tmp_path):
    model = keras.Sequential([keras.Input((4, 3)), make()])
    model.save(tmp_path / "m.keras")
    done = subprocess.run([PROGRAM, "convert", tmp_path / "m.keras", tmp_path / "m.json"],
                          capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert name in done.stderr
    assert not (tmp_path / "m.json").exists()
