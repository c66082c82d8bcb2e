"""A run that was stopped, however it was, ends with the same bytes as one that never was."""
import csv
import os
import random
import resource
import shutil
import signal
import subprocess
import time

import pytest

from conftest import PROGRAM, environment

RECIPE = """\
model:
  - input: [64]
  - dense: {units: 48, activation: relu}
  - dropout: 0.2
  - dense: {units: 10, activation: softmax}
data: {train: digits, scale: max, validation_split: 0.2}
train: {loss: categorical_crossentropy, optimizer: nadam, batch_size: 32, epochs: 6,
        metrics: [accuracy], early_stopping: "val_loss:patience=4,restore_best=true",
        reduce_lr: "val_loss:patience=1,min_delta=0.02,factor=0.5"}
"""
STEPS_PER_EPOCH = 38  # floor(1500 * 0.8) rows in batches of 32
TIMES = ("seconds", "seconds_waiting")


@pytest.fixture
def net(qs):
    (qs.folder / "deep.yaml").write_text(RECIPE)
    return qs


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The run that is never stopped."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "deep.yaml").write_text(RECIPE)
    subprocess.run([PROGRAM, "train", "deep.yaml", "--out", "run", "--quiet"], cwd=folder,
                   env=environment(), check=True)
    return folder / "run"


def history(folder):
    with open(folder / "history.csv", newline="") as file:
        return [{k: v for k, v in row.items() if k not in TIMES} for row in csv.DictReader(file)]


def same(folder, whole):
    assert history(folder) == history(whole)
    for file in ("model.keras", "best.keras"):
        assert (folder / file).read_bytes() == (whole / file).read_bytes(), file


def test_a_run_repeats_itself(net, whole):
    net("train", "deep.yaml", "--out", "run")
    same(net.folder / "run", whole)


@pytest.mark.parametrize("options", [("--threads", 1), ("--threads", 2), ("--resident", "off"),
                                     ("--resident", "off", "--prefetch", 7)])
def test_how_it_is_run_changes_no_byte(net, whole, options):
    net("train", "deep.yaml", "--out", "run", *options)
    same(net.folder / "run", whole)


@pytest.mark.parametrize("every", [None, 1, 7, STEPS_PER_EPOCH])
@pytest.mark.parametrize("steps", [1, STEPS_PER_EPOCH, STEPS_PER_EPOCH + 20])
def test_stopped_by_steps(net, whole, steps, every):
    often = ("--checkpoint-every", every) if every else ()
    net("train", "deep.yaml", "--out", "run", "--steps", steps, *often)
    net("train", "--resume", "run", *often)
    same(net.folder / "run", whole)


def test_stopped_again_and_again(net, whole):
    net("train", "deep.yaml", "--out", "run", "--steps", 10)
    for steps in range(33, 6 * STEPS_PER_EPOCH, 23):
        net("train", "--resume", "run", "--steps", steps, "--threads", 1 + steps % 2)
    net("train", "--resume", "run")
    same(net.folder / "run", whole)


STATEFUL = """\
model:
  - input: [64]
  - dense: {units: 32, kernel_regularizer: l2}
  - batch_normalization: {}
  - activation: tanh
  - gaussian_noise: 0.1
  - dense: {units: 10, activation: softmax, kernel_constraint: {max_norm: {max_value: 2}}}
data: {train: digits, scale: max}
train: {optimizer: {adamw: {learning_rate: 0.005, clipnorm: 1.0}}, batch_size: 50, epochs: 2}
"""


@pytest.mark.parametrize("options", [
    (), ("--optimizer", "rmsprop:momentum=0.5,centered=true"), ("--optimizer", "adagrad"),
    ("--lr", "cosine_decay:initial_learning_rate=0.1,decay_steps=50"),
    ("--class-weight", "0=2,3=0.5", "--no-shuffle", "--seed", 77),
    ("--valid", "digits:test", "--reduce-lr", "val_accuracy:patience=0,min_delta=1")])
def test_whatever_a_run_carries_along(qs, options):
    (qs.folder / "stateful.yaml").write_text(STATEFUL)
    qs("train", "stateful.yaml", "--out", "whole", *options)
    qs("train", "stateful.yaml", "--out", "run", "--steps", 37, *options)
    qs("train", "--resume", "run")
    run, whole = qs.folder / "run", qs.folder / "whole"
    assert (run / "model.keras").read_bytes() == (whole / "model.keras").read_bytes()
    assert history(run) == history(whole)


def test_a_trained_model_trained_further(qs, whole):
    options = ("train", whole / "model.keras", "--epochs", 2, "--shuffle")
    qs(*options, "--out", "whole")
    qs(*options, "--out", "run", "--steps", 50)
    qs("train", "--resume", "run")
    same(qs.folder / "run", qs.folder / "whole")


def test_step_losses_go_on(net):
    whole = net.json("train", "deep.yaml", "--steps", 100, "--no-out", "--steps-json")
    net.json("train", "deep.yaml", "--steps", 60, "--out", "run", "--steps-json")
    rest = net.json("train", "--resume", "run", "--steps", 100, "--steps-json")
    assert len(whole["step_losses"]) == 100
    assert rest["step_losses"] == whole["step_losses"]
    drop = ("seconds", "seconds_waiting")
    assert [{k: v for k, v in e.items() if k not in drop} for e in rest["epochs"]] == \
        [{k: v for k, v in e.items() if k not in drop} for e in whole["epochs"]]


def command(folder, *options):
    """What a user types next: go on where there is something to go on with."""
    if (folder / "run" / "run.json").exists():
        return ("train", "deep.yaml", "--resume", "run", *options)
    return ("train", "deep.yaml", "--out", "run", *options)


@pytest.mark.parametrize("seed", range(6))
def test_killed_at_any_moment(net, whole, seed):
    rng = random.Random(seed)
    every = rng.choice([(), ("--checkpoint-every", rng.randint(1, 60))])
    for _ in range(5):
        run = net.start(*command(net.folder, *every), stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0, 0.3))
        run.kill()
        run.wait()
    net(*command(net.folder, *every))
    same(net.folder / "run", whole)
    names = {name for _, _, files in os.walk(net.folder / "run") for name in files}
    assert names == {"run.json", "history.csv", "model.keras", "best.keras", "start.keras",
                     "last.safetensors"}


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_ctrl_c_saves_and_says_how_to_go_on(net, whole):
    long = ("train", "deep.yaml", "--out", "run", "--epochs", 100000, "--early-stop",
            "loss:patience=100000,restore_best=true")
    run = net.start(*long, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    wait_for((net.folder / "run" / "best.keras").exists)
    run.send_signal(signal.SIGINT)
    _, said = run.communicate(timeout=20)
    assert run.returncode == 130
    assert "--resume run" in said
    assert (net.folder / "run" / "model.keras").exists()
    shutil.rmtree(net.folder / "run")

    run = net.start("train", "deep.yaml", "--out", "run", "--checkpoint-every", 1,
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for((net.folder / "run" / "run.json").exists)
    run.send_signal(signal.SIGINT)
    assert run.wait(timeout=20) in (0, 130)
    net("train", "--resume", "run")
    same(net.folder / "run", whole)


def test_another_setting_is_refused_by_name(net):
    net("train", "deep.yaml", "--out", "run", "--steps", 10)
    before = (net.folder / "run/checkpoint/last.safetensors").read_bytes()
    said = net.error("train", "--resume", "run", "--batch", 64)
    assert "batch is 64 here and 32 in the run" in said
    assert "seed" in net.error("train", "--resume", "run", "--seed", 9)
    assert "optimizer" in net.error("train", "--resume", "run", "--optimizer", "sgd")
    assert "training data" in net.error("train", "--resume", "run", "--validation-split", 0.3)
    assert (net.folder / "run/checkpoint/last.safetensors").read_bytes() == before


def test_other_data_of_the_same_shape_are_refused(qs):
    for name, factor in (("a.csv", 1), ("b.csv", 2)):
        rows = "".join(f"{factor * i % 7},{i % 5},{i % 2}\n" for i in range(40))
        (qs.folder / name).write_text("p,q,label\n" + rows)
    (qs.folder / "two.yaml").write_text(
        "model:\n  - input: [2]\n  - dense: {units: 2, activation: softmax}\n")
    qs("train", "two.yaml", "--data", "a.csv", "--out", "run", "--steps", 1)
    assert "fingerprint" in qs.error("train", "--resume", "run", "--data", "b.csv")
    qs("train", "--resume", "run", "--data", "a.csv")


def test_more_epochs_go_on_with_a_finished_run(net):
    options = ("--early-stop", "val_loss:patience=100")
    net("train", "deep.yaml", "--out", "whole", "--epochs", 4, *options)
    net("train", "deep.yaml", "--out", "run", "--epochs", 2, *options)
    net("train", "--resume", "run", "--epochs", 4)
    same(net.folder / "run", net.folder / "whole")


def test_a_folder_that_holds_a_run_is_not_written_over(net):
    net("train", "deep.yaml", "--out", "run", "--steps", 3)
    before = (net.folder / "run/history.csv").read_bytes()
    assert "--resume run" in net.error("train", "deep.yaml", "--out", "run")
    assert (net.folder / "run/history.csv").read_bytes() == before


def test_nothing_to_go_on_with(net):
    (net.folder / "empty").mkdir()
    net.error("train", "--resume", "empty")
    net.error("train", "--resume", "missing")


def test_a_damaged_checkpoint_is_refused(net):
    net("train", "deep.yaml", "--out", "run", "--steps", 10)
    checkpoint = net.folder / "run/checkpoint/last.safetensors"
    good = checkpoint.read_bytes()
    for bad in (b"", good[:5], good[:len(good) // 2], good[:-1] + bytes([good[-1] ^ 1])):
        checkpoint.write_bytes(bad)
        assert "last.safetensors" in net.error("train", "--resume", "run")


def limited(net, limit, *arguments):
    """The program on a disk that is full for files above `limit` bytes."""
    def before():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    return subprocess.run([PROGRAM, *arguments], cwd=net.folder, env=environment(), text=True,
                          capture_output=True, timeout=60, check=False, preexec_fn=before)


def test_a_full_disk_ends_the_run_and_harms_nothing(net, whole):
    net("train", "deep.yaml", "--out", "run", "--steps", 60)
    run = net.folder / "run"
    before = {file: (run / file).read_bytes()
              for file in ("checkpoint/last.safetensors", "best.keras")}
    done = limited(net, 4096, "train", "--resume", "run", "--quiet")
    assert done.returncode == 1
    assert done.stderr.startswith("quickstep: error: ") and done.stderr.count("\n") == 1
    assert before == {file: (run / file).read_bytes() for file in before}
    assert not [name for _, _, names in os.walk(run) for name in names if name.endswith(".new")]
    net("train", "--resume", "run")
    same(run, whole)


def test_a_folder_that_cannot_be_made(net):
    (net.folder / "file").write_text("")
    said = net.error("train", "deep.yaml", "--out", "file/run", code=1)
    assert "file" in said


def test_a_loss_that_is_not_finite_ends_the_run_and_keeps_the_last_checkpoint(net):
    (net.folder / "wild.yaml").write_text(RECIPE.replace("relu", "exponential"))
    said = net.error("train", "wild.yaml", "--out", "run", "--optimizer",
                     "sgd:learning_rate=1000", "--quiet", code=1)
    assert "step" in said and "dense" in said
    assert "run/checkpoint" in said
    assert (net.folder / "run/checkpoint/last.safetensors").exists()
