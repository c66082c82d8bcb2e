"""quickstep info, convert and devices."""
import json

import pytest


def test_info_has_every_field(qs):
    result = qs.json("info", "net.yaml", "--batch", 32)
    assert result["verb"] == "info" and isinstance(result["format"], str)
    assert result["params"] == 64 * 24 + 24 + 240 + 10
    dense = [layer for layer in result["layers"] if layer["type"] == "dense"]
    assert [layer["output"] for layer in dense] == [[24], [10]]
    assert [layer["params"] for layer in dense] == [64 * 24 + 24, 250]
    assert all(layer["name"] for layer in result["layers"])
    assert result["gflops_per_step"] > 0 and result["launches_per_step"] >= 1
    assert result["bytes"]["weights"] >= 4 * result["params"]


def test_info_cost_grows_with_the_batch(qs):
    small, large = (qs.json("info", "net.yaml", "--batch", n) for n in (32, 64))
    assert large["gflops_per_step"] == pytest.approx(2 * small["gflops_per_step"])


def test_info_for_people(qs):
    out = qs("info", "net.yaml").stdout
    assert "1,810 parameters" in out and "dense" in out


def test_info_on_data(qs):
    result = qs.json("info", "digits")
    assert result["format"] == "data" and result["classes"] == 10
    assert "8x8" in qs("info", "digits").stdout


def test_info_on_a_run_and_its_files(trained):
    for name in ("run", "run/model.keras"):
        assert trained.json("info", name)["params"] == trained.result["params"]


ENDINGS = [".keras", ".h5", ".json", ".yaml"]


@pytest.mark.parametrize("first", ENDINGS)
@pytest.mark.parametrize("second", ENDINGS)
def test_convert_between_model_formats(trained, tmp_path, first, second):
    a, b = tmp_path / f"a{first}", tmp_path / f"b{second}"
    trained("convert", "--lossy", "run/model.keras", a)
    result = trained.json("convert", "--lossy", a, b)
    assert result["verb"] == "convert" and result["out"] == str(b)
    layers = [[(x["type"], x["output"]) for x in trained.json("info", f)["layers"]]
              for f in ("run/model.keras", b)]
    assert layers[0] == layers[1]


@pytest.mark.parametrize("ending", [".npz", ".safetensors", ".weights.h5"])
def test_weights_go_out_and_come_back(trained, tmp_path, ending):
    weights, back = tmp_path / f"w{ending}", tmp_path / "back.keras"
    trained("convert", "--lossy", "run/model.keras", weights)
    trained("convert", "--weights", weights, "net.yaml", back)
    known = ["--data", "digits:test", "--scale", "max"]
    assert trained.json("eval", back, *known)["loss"] == pytest.approx(
        trained.json("eval", "run/model.keras", *known)["loss"], rel=1e-6)


def test_losing_weights_is_refused(trained, tmp_path):
    message = trained.error("convert", "run/model.keras", tmp_path / "net.json")
    assert "lossy" in message and not (tmp_path / "net.json").exists()
    trained("convert", "run/model.keras", tmp_path / "net.json", "--lossy")
    assert json.loads((tmp_path / "net.json").read_text())["class_name"] == "Sequential"


def test_unknown_ending(trained, tmp_path):
    assert "onnx" in trained.error("convert", "run/model.keras", tmp_path / "net.onnx")


def test_devices(qs):
    result = qs.json("devices")
    cpu = [d for d in result["devices"] if d["name"] == "cpu"]
    assert len(cpu) == 1 and cpu[0]["usable"] is True and cpu[0]["why"] is None
    assert all(isinstance(d["why"], str) for d in result["devices"] if not d["usable"])
    assert "cpu" in qs("devices").stdout
    assert isinstance(qs.json("devices", "--profiles")["profiles"], list)
