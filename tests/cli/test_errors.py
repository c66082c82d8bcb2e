"""Bad input and bad luck: one line that says what to do, the right exit code, nothing lost."""
import os
import resource
import subprocess

import numpy as np
import pytest

from conftest import PROGRAM, environment


@pytest.mark.parametrize("verb", ["train", "eval", "info"])
def test_no_such_model(qs, verb):
    assert "nowhere.keras" in qs.error(verb, "nowhere.keras")


@pytest.mark.parametrize("data", ["nowhere.npz", "nowhere.csv", "a.npy,b.npy", "fashon-mnist"])
def test_no_such_data(qs, data):
    assert data.split(",")[0] in qs.error("train", "net.yaml", "--data", data)


def test_absent_default_set_says_what_to_do(qs):
    if os.path.exists("/usr/share/datasets/fashion-mnist"):
        pytest.skip("the set is installed, so it is not absent")
    message = qs.error("train", HOME=str(qs.folder))
    assert "dataset-fashion-mnist" in message and "--data" in message


def test_shapes_that_do_not_fit(qs):
    message = qs.error("train", "net.yaml", "--data", "synthetic:100,9,10")
    assert "9" in message and "64" in message


def test_too_many_classes(qs):
    assert "10" in qs.error("train", "net.yaml", "--data", "synthetic:100,64,12")


@pytest.mark.parametrize("option,value,near", [
    ("--optimizer", "nadan", "nadam"), ("--loss", "categorical_crossentrop",
                                        "categorical_crossentropy"),
    ("--metrics", "acuracy", "accuracy"), ("--lr", "cosine_deca:decay_steps=3", "cosine_decay"),
    ("--device", "cpx", "cpu")])
def test_unknown_names_list_the_nearest(qs, option, value, near):
    assert near in qs.error("train", "net.yaml", "--no-out", option, value)


def test_unknown_argument_of_a_name(qs):
    assert "beta_1" in qs.error("train", "net.yaml", "--no-out", "--optimizer", "adam:beta1=0.9")


def test_unknown_key_of_a_recipe_has_its_line(qs):
    (qs.folder / "bad.yaml").write_text("model:\n  - input: [64]\n  - dense: {unit: 10}\n")
    message = qs.error("info", "bad.yaml")
    assert "units" in message and "3" in message


@pytest.mark.parametrize("name,content", [
    ("bad.keras", b"PK\x03\x04 not really"), ("bad.json", b"{"), ("bad.h5", b"\x89HDF\r\n"),
    ("bad.yaml", b"model: ["), ("empty.keras", b""), ("empty.yaml", b"")])
def test_malformed_models(qs, name, content):
    (qs.folder / name).write_bytes(content)
    assert name in qs.error("info", name)


def test_not_a_number_in_the_data(qs):
    x = np.zeros((50, 64), np.float32)
    x[17, 3] = np.nan
    np.savez(qs.folder / "x.npz", x=x, y=np.arange(50) % 10)
    assert "17" in qs.error("train", "net.yaml", "--no-out", "--data", "x.npz")


def test_diverging_is_a_failure_with_a_cause(qs):
    (qs.folder / "linear.yaml").write_text(
        "model:\n  - input: [64]\n  - dense: {units: 10}\ndata: {train: digits}\n"
        "train: {loss: mean_squared_error, optimizer: {sgd: {learning_rate: 1000}}, epochs: 50}\n")
    message = qs.error("train", "linear.yaml", "--no-out", "--quiet", code=1)
    assert "step" in message and "learning rate" in message


def test_unwritable_folder(qs):
    if os.geteuid() == 0:
        (qs.folder / "runs").write_text("a file, where the folder should go")
        assert "--out" in qs.error("train", "net.yaml", code=1)
        return
    qs.folder.chmod(0o500)
    assert "--out" in qs.error("train", "net.yaml", code=1)


def test_folder_that_holds_a_run_is_not_overwritten(trained):
    before = (trained.folder / "run/run.json").read_bytes()
    assert "--resume" in trained.error("train", "net.yaml", "--out", "run")
    assert (trained.folder / "run/run.json").read_bytes() == before


def test_resume_of_nothing(qs):
    assert "no run in this folder" in qs.error("train", "--resume", "nowhere")


def limited(folder, limit, *arguments):
    """As on a disk with so little space left: files cannot grow beyond `limit` bytes."""
    def limit_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    return subprocess.run([PROGRAM, *map(str, arguments)], cwd=folder, text=True, timeout=120,
                          capture_output=True, env=environment(), preexec_fn=limit_files,
                          check=False)


@pytest.mark.parametrize("arguments", [
    ["train", "net.yaml", "--no-out", "--quiet", "--save", "kept.keras"],
    ["train", "net.yaml", "--quiet", "--out", "other"]])
def test_full_disk_while_training(qs, arguments):
    kept = qs.folder / "kept.keras"
    kept.write_bytes(b"precious")
    done = limited(qs.folder, 2000, *arguments)
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith("quickstep: error: ") and done.stderr.count("\n") == 1
    assert kept.read_bytes() == b"precious"


@pytest.mark.parametrize("ending", [".npy", ".npz", ".csv"])
def test_full_disk_while_predicting(trained, tmp_path, ending):
    out = tmp_path / f"y{ending}"
    out.write_bytes(b"precious")
    done = limited(trained.folder, 3000, "predict", "run", "--out", out)
    assert done.returncode == 1, done.stderr
    assert "y" + ending in done.stderr and out.read_bytes() == b"precious"
    assert [p.name for p in tmp_path.iterdir()] == [out.name]


def test_full_disk_while_converting(trained, tmp_path):
    out = tmp_path / "net.h5"
    out.write_bytes(b"precious")
    done = limited(trained.folder, 2000, "convert", "run/model.keras", out)
    assert done.returncode == 1, done.stderr
    assert out.read_bytes() == b"precious"
    assert [p.name for p in tmp_path.iterdir()] == [out.name]


def test_save_into_a_folder_that_is_not_there(qs):
    assert "no folder" in qs.error("train", "net.yaml", "--no-out", "--save", "no/where.keras")


def test_save_with_an_unknown_ending(qs):
    message = qs.error("train", "net.yaml", "--no-out", "--save", "net.onnx", "--quiet")
    assert "onnx" in message


@pytest.mark.parametrize("precision", ["bf16", "f16", "tf32"])
def test_precision_that_is_not_there_is_refused_by_name(qs, precision):
    assert precision in qs.error("train", "net.yaml", "--no-out", "--precision", precision)
