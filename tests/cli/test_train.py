"""quickstep train: the result, field by field, and what each option does."""
import csv
import json
import math

import pytest

from conftest import PROGRAM

FIELDS = {
    "verb": str, "model": str, "params": int, "device": str, "device_reason": str,
    "precision": str, "threads": int, "batch": int, "steps_per_epoch": int, "seed": int,
    "epochs": list, "final": dict, "timing": dict, "memory": dict, "resident": bool, "input": str,
    "path": dict, "saved": list, "run": (str, type(None)),
}
TIMING = ["startup_s", "load_s", "compile_s", "train_s", "total_s", "ms_per_step", "samples_per_s",
          "gflops_per_step", "achieved_gflops", "peak_gflops", "peak_fraction"]


def numbers(document):
    """Every number in it."""
    if isinstance(document, dict):
        document = list(document.values())
    if isinstance(document, list):
        for part in document:
            yield from numbers(part)
    elif isinstance(document, (int, float)):
        yield document


def test_result_has_every_field(trained):
    result = trained.result
    for name, kind in FIELDS.items():
        assert isinstance(result[name], kind), name
    assert all(math.isfinite(x) for x in numbers(result))
    assert result["verb"] == "train" and result["params"] == 64 * 24 + 24 + 24 * 10 + 10
    assert result["model"] == "net.yaml" and result["device"] == "cpu" and result["precision"] == "f32"
    assert result["input"] in ("resident", "prefetch")
    assert result["resident"] == (result["input"] == "resident")
    assert "step_losses" not in result


def test_result_counts_are_right(trained):
    result = trained.result
    samples = result["epochs"][0]["samples"]
    assert result["batch"] == 32
    assert result["steps_per_epoch"] == math.ceil(samples / 32)
    assert [e["epoch"] for e in result["epochs"]] == [1, 2, 3, 4]
    for epoch in result["epochs"]:
        assert set(epoch) >= {"epoch", "loss", "accuracy", "val_loss", "seconds",
                              "seconds_waiting", "samples", "lr"}
        assert epoch["val_loss"] is None
        assert epoch["lr"] == pytest.approx(0.005)
        assert 0 <= epoch["seconds_waiting"] <= epoch["seconds"]
    last = result["epochs"][-1]
    assert result["final"]["loss"] == last["loss"]
    assert result["final"]["accuracy"] == last["accuracy"]
    assert last["loss"] < result["epochs"][0]["loss"]
    assert result["final"]["test_accuracy"] > 0.6


def test_result_timing_is_consistent(trained):
    timing = trained.result["timing"]
    assert all(isinstance(timing[name], float) for name in TIMING)
    # 2 * (weights) a sample forward, as much for each of the two gradients, but no gradient of x
    weights1, weights2 = 64 * 24, 24 * 10
    flops = 32 * 2 * (2 * weights1 + 3 * weights2)
    assert timing["gflops_per_step"] == pytest.approx(flops / 1e9, rel=0.35)
    assert timing["achieved_gflops"] == pytest.approx(
        timing["gflops_per_step"] / timing["ms_per_step"] * 1e3, rel=1e-6)
    assert timing["peak_fraction"] == pytest.approx(
        timing["achieved_gflops"] / timing["peak_gflops"], rel=1e-6)
    assert 1 < timing["peak_gflops"] < 1e5
    assert 0 < timing["peak_fraction"] < 1.1
    parts = sum(timing[part] for part in ("startup_s", "load_s", "compile_s", "train_s"))
    assert parts <= timing["total_s"] + 0.02


def test_result_memory_and_path(trained):
    memory, path = trained.result["memory"], trained.result["path"]
    assert memory["bytes_allocated_per_step"] == 0
    assert memory["host_peak_bytes"] > 1 << 20
    assert memory["device_bytes"] > 4 * trained.result["params"]
    assert isinstance(path["tier"], str) and path["tier"]
    assert all(isinstance(note, str) for note in path["notes"])


def test_path_names_layers_off_the_fast_path(qs):
    (qs.folder / "odd.yaml").write_text("""\
model:
  - input: [64]
  - dense: {units: 8, activation: gelu}
  - batch_normalization:
  - dense: {units: 8, activation: relu}
  - dropout: 0.2
  - dense: {units: 10, activation: softmax}
""")
    notes = qs.json("train", "odd.yaml", "--data", "digits", "--steps", 1, "--no-out")["path"]["notes"]
    assert [note.split(":")[0] for note in notes] == ["dense", "batch_normalization"]
    assert "slope" in notes[0]


def test_metrics_keep_their_names_in_a_saved_model(qs):
    qs("train", "net.yaml", "--metrics", "mae,accuracy", "--steps", 1, "--no-out", "--save", "a.keras")
    again = qs.json("train", "a.keras", "--data", "digits", "--scale", "max", "--steps", 1, "--no-out")
    assert {"mae", "accuracy"} <= set(again["final"])


def test_scaling_leaves_validation_rows_out(qs):
    rows = "".join(f"{1 if i < 8 else 1000 + i},{i % 2}\n" for i in range(10))
    (qs.folder / "x.csv").write_text(rows)
    (qs.folder / "one.yaml").write_text("model:\n  - input: [1]\n  - dense: 2\n")
    done = qs.json("train", "one.yaml", "--data", "x.csv:label=1", "--scale", "minmax", "--loss", "mse",
                   "--validation-split", 0.2, "--steps", 1, "--no-out")
    assert done["epochs"][0]["val_loss"] > 100 * done["epochs"][0]["loss"]


def test_run_folder(trained):
    run = trained.folder / "run"
    record = json.loads((run / "run.json").read_text())
    result = dict(trained.result)
    assert record["result"] == result
    assert record["settings"]["data.train"] == "digits"
    assert record["settings"]["epochs"] == 4 and record["settings"]["seed"] == 1
    assert record["environment"]["cores"] >= 1 and record["versions"]["quickstep"]
    rows = list(csv.DictReader((run / "history.csv").open()))
    assert [float(row["loss"]) for row in rows] == pytest.approx(
        [e["loss"] for e in result["epochs"]], rel=1e-9)
    assert (run / "model.keras").exists() and (run / "checkpoint").is_dir()
    assert result["saved"] == ["run/model.keras"] and result["run"] == "run"


def test_default_folder_is_named_by_date_and_model(qs):
    first, second = (qs.json("train", "net.yaml", "--epochs", 1)["run"] for _ in range(2))
    assert first.startswith("runs/20") and first.endswith("-1") and second.endswith("-2")
    assert (qs.folder / first / "run.json").exists()


def test_no_out_leaves_nothing(qs):
    result = qs.json("train", "net.yaml", "--no-out")
    assert result["run"] is None and result["saved"] == []
    assert [p.name for p in qs.folder.iterdir()] == ["net.yaml"]


def test_command_line_wins_over_recipe(qs):
    result = qs.json("train", "net.yaml", "--no-out", "--epochs=3", "--batch", 50, "--optimizer",
                     "sgd:momentum=0.9", "--lr", "0.01", "--seed", 7, "--threads", 1)
    assert len(result["epochs"]) == 3 and result["batch"] == 50 and result["seed"] == 7
    assert result["epochs"][0]["lr"] == pytest.approx(0.01) and result["threads"] == 1


def test_environment_gives_threads(qs):
    assert qs.json("train", "net.yaml", "--no-out", QUICKSTEP_THREADS="1")["threads"] == 1


def test_same_seed_same_numbers_another_seed_others(qs):
    def losses(*options):
        return qs.json("train", "net.yaml", "--no-out", "--steps-json", *options)["step_losses"]
    first = losses("--threads", 1)
    assert losses("--threads", 2) == first
    assert losses("--resident", "off", "--prefetch", 2) == first
    assert losses("--seed", 2) != first


def test_steps_json_and_steps(qs):
    result = qs.json("train", "net.yaml", "--no-out", "--steps-json", "--steps", 5)
    assert len(result["step_losses"]) == 5
    assert all(loss > 0 for loss in result["step_losses"])


def test_no_shuffle_keeps_the_order(qs):
    shuffled, plain = (qs.json("train", "net.yaml", "--no-out", "--steps-json", "--steps", 3,
                               f"--{no}shuffle")["step_losses"] for no in ("", "no-"))
    assert shuffled != plain


def test_validation_split(qs):
    result = qs.json("train", "net.yaml", "--out", "run", "--validation-split", 0.25)
    whole = qs.json("train", "net.yaml", "--no-out")["epochs"][0]["samples"]
    assert result["epochs"][0]["samples"] == math.floor(whole * 0.75)
    assert 0 < result["epochs"][-1]["val_loss"] < 5
    assert 0 < result["final"]["val_accuracy"] <= 1
    assert "run/best.keras" in result["saved"]


def test_valid_and_test_sets(qs):
    result = qs.json("train", "net.yaml", "--no-out", "--valid", "digits:test", "--test",
                     "digits:test")
    assert result["epochs"][-1]["val_loss"] == pytest.approx(result["final"]["test_loss"])


def test_a_set_smaller_than_a_batch_is_not_counted_as_a_whole_one(qs):
    few, many = (qs.json("train", "net.yaml", "--no-out", "--batch", 100, "--epochs", 1, "--data",
                         f"synthetic:{n},64,10")["timing"]["gflops_per_step"] for n in (10, 100))
    assert few == pytest.approx(many / 10)


def test_early_stop(qs):
    result = qs.json("train", "net.yaml", "--no-out", "--epochs", 50, "--lr", 0,
                     "--early-stop", "loss:patience=2,min_delta=0.1")
    assert len(result["epochs"]) < 10 and result["stop"] == "early_stop"


def test_reduce_lr(qs):
    result = qs.json("train", "net.yaml", "--no-out", "--epochs", 4, "--reduce-lr",
                     "loss:factor=0.5,patience=1,min_delta=100")
    rates = [e["lr"] for e in result["epochs"]]
    assert rates[-1] < rates[0] and rates[-1] == pytest.approx(rates[0] / 2 ** round(
        math.log2(rates[0] / rates[-1])))


def test_schedule(qs):
    result = qs.json("train", "net.yaml", "--no-out", "--epochs", 3, "--lr",
                     "cosine_decay:initial_learning_rate=0.01,decay_steps=100")
    rates = [e["lr"] for e in result["epochs"]]
    assert rates[0] == pytest.approx(0.01) and rates[0] > rates[1] > rates[2]


def test_class_weight(qs):
    plain = qs.json("train", "net.yaml", "--no-out", "--steps-json", "--steps", 1)
    weights = ",".join(f"{i}=2.0" for i in range(10))
    double = qs.json("train", "net.yaml", "--no-out", "--steps-json", "--steps", 1,
                     "--class-weight", weights)
    assert double["step_losses"][0] == pytest.approx(2 * plain["step_losses"][0], rel=1e-5)


def test_loss_and_metrics(qs):
    result = qs.json("train", "net.yaml", "--no-out", "--loss", "mean_squared_error", "--metrics",
                     "mean_absolute_error,accuracy")
    assert {"loss", "mean_absolute_error", "accuracy"} <= set(result["epochs"][0])


@pytest.mark.parametrize("ending", [".keras", ".h5", ".npz", ".safetensors"])
def test_save(qs, ending):
    result = qs.json("train", "net.yaml", "--no-out", "--save", f"saved{ending}")
    assert result["saved"] == [f"saved{ending}"]
    assert (qs.folder / f"saved{ending}").stat().st_size > 4 * result["params"]


def test_weights_are_gone_on_with(trained, qs):
    start = trained.folder / "run" / "model.keras"
    npz = qs.folder / "w.npz"
    qs("convert", "--lossy", start, npz)
    fresh = qs.json("train", "net.yaml", "--no-out", "--steps-json", "--steps", 1)
    warm = qs.json("train", "net.yaml", "--no-out", "--steps-json", "--steps", 1, "--weights", npz)
    assert warm["step_losses"][0] < 0.7 * fresh["step_losses"][0]


def test_resume_ends_with_the_same_bytes(qs):
    qs("train", "net.yaml", "--out", "whole", "--epochs", 4, "--quiet")
    qs("train", "net.yaml", "--out", "part", "--epochs", 4, "--steps", 70, "--quiet")
    assert len(list(csv.DictReader((qs.folder / "part/history.csv").open()))) < 4
    result = qs.json("train", "--resume", "part")
    assert [e["epoch"] for e in result["epochs"]] == [1, 2, 3, 4]
    for side in ("whole", "part"):
        qs("convert", "--lossy", f"{side}/model.keras", f"{side}.npz")
    assert (qs.folder / "whole.npz").read_bytes() == (qs.folder / "part.npz").read_bytes()


def test_without_a_verb_a_model_is_trained(qs):
    assert qs.json("net.yaml", "--no-out")["verb"] == "train"


def test_human_result(qs):
    done = qs("train", "net.yaml", "--out", "run")
    assert "accuracy" in done.stdout and "test_loss" in done.stdout
    lines = done.stderr.splitlines()
    assert [line for line in lines if line.startswith("epoch ")][0].startswith("epoch 1/2  loss ")
    assert "saved run/model.keras" in lines
    assert "next: quickstep eval run" in lines
    assert PROGRAM.exists() and "\x1b" not in done.stderr and "\r" not in done.stderr
