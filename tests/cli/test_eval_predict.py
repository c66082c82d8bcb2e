"""quickstep eval and predict."""
import numpy as np
import pytest


def test_eval_repeats_the_test_of_training(trained, qs):
    model = trained.folder / "run" / "model.keras"
    result = qs.json("eval", model, "--data", "digits:test", "--scale", "max")
    final = trained.result["final"]
    assert result["verb"] == "eval"
    assert result["loss"] == pytest.approx(final["test_loss"], rel=1e-6)
    assert result["accuracy"] == pytest.approx(final["test_accuracy"])
    confusion = np.array(result["confusion"])
    assert confusion.shape == (10, 10) and confusion.sum() == result["samples"]
    assert np.trace(confusion) / result["samples"] == pytest.approx(result["accuracy"], abs=1e-6)


def test_eval_of_a_run_knows_data_and_scale(trained):
    result = trained.json("eval", "run")
    assert result["loss"] == pytest.approx(trained.result["final"]["test_loss"], rel=1e-6)
    assert trained.json("eval", "run/model.keras")["loss"] == result["loss"]


@pytest.mark.parametrize("ending", [".keras", ".h5"])
@pytest.mark.parametrize("scale", ["max", "standard", "minmax"])
def test_a_saved_model_knows_data_and_scale(qs, ending, scale):
    result = qs.json("train", "net.yaml", "--no-out", "--scale", scale, "--save", f"net{ending}",
                     "--metrics", "mean_squared_error")
    for data in ([], ["--data", "digits:test"]):
        found = qs.json("eval", f"net{ending}", *data)
        for score in ("loss", "mean_squared_error"):
            assert found[score] == pytest.approx(result["final"][f"test_{score}"], rel=1e-6)


def test_statistics_of_an_unknown_training_set_are_refused(qs):
    (qs.folder / "bare.yaml").write_text("model:\n  - input: [64]\n  - dense: {units: 10}\n")
    assert "--scale standard" in qs.error("eval", "bare.yaml", "--data", "digits", "--scale",
                                          "standard")


def test_eval_does_not_depend_on_the_batch(trained):
    losses = [trained.json("eval", "run", "--batch", batch)["loss"] for batch in (1, 32, 1000)]
    assert losses == pytest.approx([losses[0]] * 3, rel=1e-5)


def test_eval_for_people(trained):
    out = trained("eval", "run").stdout
    assert out.startswith("loss ") and "accuracy" in out and "predicted class" in out


def read(path):
    if path.suffix == ".npz":
        return np.load(path)["y"]
    return np.load(path) if path.suffix == ".npy" else np.loadtxt(path, delimiter=",")


@pytest.mark.parametrize("ending", [".npy", ".npz", ".csv"])
def test_predict_writes_the_outputs(trained, tmp_path, ending):
    out = tmp_path / f"y{ending}"
    result = trained.json("predict", "run", "--out", out)
    y = read(out)
    assert result["verb"] == "predict" and result["out"] == str(out)
    assert list(y.shape) == result["shape"] and y.shape == (result["samples"], 10)
    assert y.sum(axis=1) == pytest.approx(np.ones(len(y)), abs=1e-5)
    assert [p.name for p in tmp_path.iterdir()] == [out.name]


def test_predict_agrees_with_eval(trained, tmp_path):
    trained("predict", "run", "--out", tmp_path / "y.npy", "--quiet")
    confusion = np.array(trained.json("eval", "run")["confusion"])
    classes = np.bincount(np.load(tmp_path / "y.npy").argmax(axis=1), minlength=10)
    assert list(classes) == list(confusion.sum(axis=0))


def test_predict_latency(trained):
    result = trained.json("predict", "run", "--latency", 200)
    latency = result["latency_us"]
    assert 0 < latency["median"] <= latency["p99"] and latency["floor"] > 0
    assert latency["median"] < 1e5
    assert "median" in trained("predict", "run", "--latency", 50).stdout


def test_predict_needs_somewhere_to_write(trained):
    assert "--out" in trained.error("predict", "run")
    assert ".csv" in trained.error("predict", "run", "--out", "y.txt")
    assert "no folder" in trained.error("predict", "run", "--out", "nowhere/y.npy")


def test_model_of_another_shape_is_refused(trained):
    message = trained.error("eval", "run", "--data", "synthetic:10,9,10")
    assert "64" in message and "9" in message


def test_data_must_be_known(qs):
    (qs.folder / "bare.yaml").write_text("model:\n  - input: [64]\n  - dense: {units: 10}\n")
    assert "--data" in qs.error("predict", "bare.yaml", "--out", "y.npy")


def test_a_model_without_weights_is_noted(qs):
    assert "no trained weights" in qs("eval", "net.yaml").stderr
    assert qs("eval", "net.yaml", "--quiet").stderr == ""
