"""What a newcomer may get wrong: each mistake is one line that says what to do."""
import json
import resource
import signal
import subprocess
import time

import numpy as np
import pytest

from conftest import PROGRAM, environment

ROWS = 50


@pytest.fixture
def arrays(qs):
    """Writes x and y, changed as asked, and returns the file's name."""
    def write(**changed):
        whole = {"x": np.random.default_rng(1).random((ROWS, 64), np.float32),
                 "y": np.arange(ROWS) % 10, **changed}
        np.savez(qs.folder / "set.npz", **{k: v for k, v in whole.items() if v is not None})
        return "set.npz"
    return write


def refused(qs, file, *words, code=2):
    message = qs.error("train", "net.yaml", "--no-out", "--quiet", "--data", file, code=code)
    assert all(word in message for word in words), message


@pytest.mark.parametrize("changed,words", [
    ({"y": np.arange(ROWS) % 10 + 5}, ["row 5", "is 10", "0 to 9"]),
    ({"y": np.arange(ROWS) + 0.5}, ["row 0", "0.5"]),
    ({"y": np.eye(9, dtype="f4")[np.arange(ROWS) % 9]}, ["[9]", "[10]"]),
    ({"y": np.full((ROWS, 10), np.inf, "f4")}, ["sample 0", "inf"]),
    ({"y": np.arange(ROWS - 1)}, ["50 samples", "49 labels"]),
    ({"y": None}, ["no labels"]),
    ({"x": np.full((ROWS, 64), np.nan, "f4")}, ["sample 0", "nan"]),
    ({"x": np.zeros((0, 64), "f4"), "y": np.zeros(0, int)}, ["no samples"]),
    ({"x": np.zeros((ROWS, 1), "f4")}, ["[1]", "[64]"]),
    ({"x": np.zeros(ROWS, "f4")}, ["[1]", "[64]"]),
    ({"x": np.float32(1), "y": np.int64(1)}, ["axes"]),
    ({"x": np.full((ROWS, 64), "a")}, ["<U1"]),
    ({"x": np.zeros((ROWS, 64), "c8")}, ["<c8"]),
    ({"sample_weight": np.full(ROWS, np.nan, "f4")}, ["weight", "nan"]),
    ({"sample_weight": np.ones(ROWS - 1, "f4")}, ["50 samples", "49"])])
def test_data_that_cannot_be_right(qs, arrays, changed, words):
    refused(qs, arrays(**changed), *words)


@pytest.mark.parametrize("rows", [1, 3])
def test_fewer_samples_than_a_batch(qs, arrays, rows):
    file = arrays(x=np.ones((rows, 64), "f4"), y=np.arange(rows))
    result = qs.json("train", "net.yaml", "--no-out", "--data", file, "--batch", 100000)
    assert result["batch"] == 100000 and result["steps_per_epoch"] == 1
    assert result["epochs"][0]["samples"] == rows
    assert result["memory"]["host_peak_bytes"] < 1 << 30


def test_evaluating_in_batches_beyond_the_set(qs):
    began = time.monotonic()
    assert qs.json("eval", "net.yaml", "--batch", 1 << 24)["samples"] == 297
    assert time.monotonic() - began < 5


def test_evaluating_without_labels(qs, arrays):
    message = qs.error("eval", "net.yaml", "--quiet", "--data", arrays(y=None))
    assert "no labels" in message


@pytest.mark.parametrize("verb", ["train", "eval"])
def test_a_flatten_that_is_missing(qs, verb):
    """Each row of the picture would be a sample of its own; Keras refuses this, too."""
    (qs.folder / "rows.yaml").write_text(
        "model:\n  - input: [8, 8]\n  - dense: 10\n  - softmax:\ndata: {train: digits}\n")
    out = ["--no-out"] if verb == "train" else []
    message = qs.error(verb, "rows.yaml", "--quiet", *out)
    assert "[8, 10]" in message and "flatten" in message


@pytest.mark.parametrize("option,value,words", [
    ("--lr", "nan", "learning rate"), ("--lr", "-1", "learning rate"),
    ("--optimizer", "adam:beta_1=2", "beta_1"), ("--class-weight", "0=nan", "class 0"),
    ("--class-weight", "10=1", "0 to 9"), ("--class-weight", "0=1,0=2", "twice"),
    ("--early-stop", "val_loss", "--validation-split"), ("--early-stop", "loss:patience=-1", "patience"),
    ("--reduce-lr", "loss:factor=1", "below 1"), ("--data", "synthetic:-1,64,10", "N,SHAPE,CLASSES"),
    ("--data", "synthetic:10,0,10", "N,SHAPE,CLASSES"), ("--data", ",", "names"),
    ("--validation-split", "0.9999", "0.999"), ("--seed", "-1", "--seed")])
def test_values_that_cannot_be_right(qs, option, value, words):
    assert words in qs.error("train", "net.yaml", "--no-out", option, value)


def test_a_model_larger_than_the_machine(qs):
    (qs.folder / "huge.yaml").write_text(
        "model:\n  - input: [1000000]\n  - dense: {units: 1000000}\n  - dense: {units: 10}\n")
    began = time.monotonic()
    message = qs.error("train", "huge.yaml", "--no-out", "--data", "synthetic:10,1000000,10", code=1)
    assert "12000132.0 MB" in message or "16000176.0 MB" in message and "free" in message
    assert time.monotonic() - began < 20


def test_sizes_that_do_not_overflow(qs):
    (qs.folder / "wide.yaml").write_text("model:\n  - input: [65536, 32767]\n  - relu:\n  - relu:\n")
    report = qs.json("info", "wide.yaml", "--batch", 1 << 24)
    assert report["bytes"]["activations"] > 4 * 65536 * 32767 * (1 << 24)
    (qs.folder / "wide.yaml").write_text("model:\n  - input: [65536, 65536]\n  - relu:\n")
    assert "2147483647" in qs.error("info", "wide.yaml")
    (qs.folder / "wide.yaml").write_text(
        "model:\n  - input: [8589934592, 2147483649]\n  - relu:\n")  # 2 ** 33 in 64 bits
    assert "2^40" in qs.error("info", "wide.yaml")


def test_data_larger_than_the_machine(qs):
    refused(qs, "synthetic:4000000000,64,10", "1024000.0 MB", "free", code=1)


def test_memory_that_the_system_does_not_grant(qs):
    def limit_memory():
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    done = subprocess.run([PROGRAM, "train", "net.yaml", "--no-out", "--data",
                           "synthetic:10000000,64,10"], cwd=qs.folder, text=True, timeout=120,
                          capture_output=True, env=environment(), preexec_fn=limit_memory, check=False)
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith("quickstep: error: ") and "2560.0 MB" in done.stderr


def fake_group(folder, limit, used, cache):
    """Files as control groups of version 1 and 2 have them, where this process looks for its own."""
    for line in open("/proc/self/cgroup"):
        _, controller, group = line.strip().split(":", 2)
        names = {"": ("memory.max", "memory.current", "inactive_file"),
                 "memory": ("memory.limit_in_bytes", "memory.usage_in_bytes",
                            "total_inactive_file")}.get(controller)
        if names:
            home = folder / controller / group[1:]
            home.mkdir(parents=True, exist_ok=True)
            (home / names[0]).write_text(f"{limit}\n")
            (home / names[1]).write_text(f"{used}\n")
            (home / "memory.stat").write_text(f"cache 5\n{names[2]} {cache}\n")


@pytest.mark.parametrize("cache,code", [(0, 1), (400000000, 0)])
def test_memory_that_the_control_group_does_not_grant(qs, cache, code):
    groups = qs.folder / "groups"
    fake_group(groups, 700000000, 500000000, cache)
    # 300 MB are needed, 200 MB are left, or 600 MB where files can be given up
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", f"mount --bind '{groups}' /sys/fs/cgroup && exec "
         f"'{PROGRAM}' train net.yaml --quiet --no-out "
         "--steps 1 --data synthetic:1200000,64,10"],
        cwd=qs.folder, env=environment(), text=True, capture_output=True, timeout=120, check=False)
    if "unshare" in done.stderr or "mount:" in done.stderr:
        pytest.skip("a control group cannot be feigned without the right to mount")
    assert done.returncode == code, done.stderr
    assert code == 0 or "(200 MB are free)" in done.stderr


ALIASES = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{n}: &{n} [{', '.join(['*' + p] * 9)}]\n" for p, n in zip("abcdefghi", "bcdefghij"))
YAML = {"lists": "[" * 200000, "mappings": "{a: " * 50000, "blocks": "- " * 100000,
        "aliases": ALIASES}
JSON = {"lists": "[" * 200000, "objects": '{"a":' * 100000}


@pytest.mark.parametrize("kind", YAML)
def test_yaml_made_to_explode(qs, kind):
    (qs.folder / "bomb.yaml").write_text(YAML[kind])
    began = time.monotonic()
    assert "nested deeper" in qs.error("info", "bomb.yaml")
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("kind", JSON)
def test_json_made_to_explode(qs, kind):
    (qs.folder / "bomb.json").write_text(JSON[kind])
    assert "depth" in qs.error("info", "bomb.json")


@pytest.mark.parametrize("name", ["sp ace.yaml", "nämé ü.yaml", "網.yaml", "-dash.yaml", "a'b\"c.yaml"])
def test_names_that_need_care(qs, name):
    (qs.folder / name).write_text((qs.folder / "net.yaml").read_text())
    result = json.loads(qs("train", "--json", "--epochs", 1, "--", name).stdout)
    assert qs.json("eval", result["run"])["samples"] == 297
    folder = "out " + name
    assert qs.json("train", "net.yaml", "--epochs", 1, "--out", folder)["run"] == folder
    assert qs.json("eval", folder)["samples"] == 297


def test_names_that_would_command_the_terminal(qs):
    (qs.folder / "bad.yaml").write_text(
        'model:\n  - input: [64]\n  - dense: {units: 10, name: "\\e[31mred"}\n')
    message = qs.error("info", "bad.yaml")
    assert "control characters" in message and "\x1b" not in message


def test_an_empty_name(qs):
    assert "empty" in qs.error("info", "")


@pytest.mark.parametrize("threads", [64, 4096])
def test_more_threads_than_cores(qs, threads):
    one = qs.json("train", "net.yaml", "--no-out", "--threads", 1)
    many = qs.json("train", "net.yaml", "--no-out", "--threads", threads)
    assert many["final"] == one["final"] and many["timing"]["total_s"] < 60


def test_a_folder_that_is_no_run(qs):
    (qs.folder / "other").mkdir()
    (qs.folder / "other/run.json").write_text("{}")
    assert "--resume" in qs.error("train", "--resume", "other")
    (qs.folder / "other/run.json").write_text("no JSON")
    assert "--resume" in qs.error("train", "--resume", "other")
    assert "--resume" in qs.error("train", "--resume", "net.yaml")
    assert sorted(p.name for p in (qs.folder / "other").iterdir()) == ["run.json"]


def test_two_runs_in_one_folder(qs):
    arguments = ("train", "net.yaml", "--out", "run", "--epochs", 100000, "--quiet")
    first = qs.start(*arguments)
    checkpoint = qs.folder / "run/checkpoint/last.safetensors"
    while not checkpoint.exists() and first.poll() is None:
        time.sleep(0.01)
    try:
        assert "right now" in qs.error("train", "--resume", "run")
        qs.error(*arguments)
    finally:
        first.send_signal(signal.SIGINT)
        assert first.wait(60) == 130
    qs("train", "--resume", "run", "--steps", 1)


def test_two_runs_that_begin_at_once_in_one_folder(qs):
    runs = [qs.start("train", "net.yaml", "--out", "run", "--quiet", "--seed", i, stderr=-1)
            for i in range(4)]
    told = [run.communicate(timeout=60)[1].decode() for run in runs]
    assert sorted(run.returncode for run in runs) == [0, 2, 2, 2], told
    seed = [run.returncode for run in runs].index(0)
    assert qs.json("train", "--resume", "run")["seed"] == seed


def test_closed_streams_spoil_no_file(qs):
    subprocess.run(f"exec '{PROGRAM}' train net.yaml --out run >&- 2>&-", shell=True, check=False,
                   cwd=qs.folder, env=environment())
    assert (qs.folder / "run/model.keras").read_bytes()[:2] == b"PK"
    assert (qs.folder / "run/history.csv").read_text().startswith("epoch,")
    assert qs.json("eval", "run")["samples"] == 297


@pytest.mark.parametrize("name", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_save_and_say_how_to_go_on(qs, name):
    run = qs.start("train", "net.yaml", "--out", "run", "--epochs", 100000, stdout=-1, stderr=-1)
    while not (qs.folder / "run/best.keras").exists() and run.poll() is None:
        time.sleep(0.02)
        if (qs.folder / "run/history.csv").exists():
            break
    run.send_signal(name)
    _, told = run.communicate(timeout=60)
    assert run.returncode == 130 and b"--resume run" in told
    qs("train", "--resume", "run", "--steps", 1)


@pytest.mark.parametrize("delay", [0, 0.005, 0.01, 0.02, 0.05, 0.1])
def test_stopped_at_any_stage(qs, delay):
    run = qs.start("train", "net.yaml", "--out", "run", "--epochs", 100000, "--validation-split", 0.5,
                   "--quiet", stdout=-1, stderr=-1)
    time.sleep(delay)
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=60)
    assert run.returncode in (130, -signal.SIGINT)  # before main() the shell's default holds
    if (qs.folder / "run/checkpoint/last.safetensors").exists():
        qs("train", "--resume", "run", "--steps", 1)
    else:
        qs("train", "net.yaml", "--out", "run", "--epochs", 1)
