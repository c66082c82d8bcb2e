"""Files and folders that cannot be what they are taken for, and disks that fill up: one line that
says so, the right exit code, and nothing that was there before is damaged."""
import os
import resource
import shutil
import signal
import subprocess

import pytest

from conftest import PROGRAM, environment

PRECIOUS = b"precious"
NOBODY = 65534
WEIGHTS = [".keras", ".h5", ".weights.h5", ".npz", ".safetensors"]


def names(folder):
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*"))


def run(folder, *arguments, before=None):
    return subprocess.run([PROGRAM, *map(str, arguments)], cwd=folder, text=True, timeout=120,
                          capture_output=True, env=environment(), preexec_fn=before, check=False)


def one_line(done, code):
    assert done.returncode == code, done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("quickstep: error: "), done.stderr
    assert ";" in lines[0]
    return lines[0]


# ---- what is read ----

def make_fifo(path):
    os.mkfifo(path)


def make_folder(path):
    path.mkdir()


def make_empty(path):
    path.write_bytes(b"")


def make_dangling(path):
    path.symlink_to("nowhere")


def make_loop(path):
    path.symlink_to(path.name)


def make_device(path):
    path.symlink_to("/dev/zero")


def make_null(path):
    path.symlink_to("/dev/null")


MAKERS = [make_fifo, make_folder, make_empty, make_dangling, make_loop, make_device, make_null]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("name", ["m.yaml", "m.json", "m.keras", "m.h5"])
def test_no_model(qs, make, name):
    make(qs.folder / name)
    before = names(qs.folder)
    assert name in one_line(run(qs.folder, "info", name), 2)
    assert names(qs.folder) == before


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("ending", WEIGHTS)
def test_no_weights(qs, make, ending):
    make(qs.folder / f"w{ending}")
    done = run(qs.folder, "convert", "--weights", f"w{ending}", "net.yaml", "out.keras")
    assert f"w{ending}" in one_line(done, 2)
    assert not (qs.folder / "out.keras").exists()


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("names_of", ["d.npz", "d.npy,d.npy", "d.csv", "d.h5", "d-ubyte,d-ubyte"])
def test_no_data(qs, make, names_of):
    make(qs.folder / names_of.split(",")[0])
    done = run(qs.folder, "train", "net.yaml", "--data", names_of)
    assert names_of.split(",")[0] in one_line(done, 2)
    assert not (qs.folder / "runs").exists()


# ---- what is written ----

@pytest.mark.parametrize("ending", WEIGHTS)
def test_device_that_is_always_full(qs, ending):
    (qs.folder / f"full{ending}").symlink_to("/dev/full")
    message = one_line(run(qs.folder, "convert", "--lossy", "net.yaml", f"full{ending}"), 1)
    assert "No space left" in message and f"full{ending}" in message


def test_device_that_is_always_full_after_training(qs):
    (qs.folder / "full.keras").symlink_to("/dev/full")
    one_line(run(qs.folder, "train", "net.yaml", "--quiet", "--out", "run", "--save", "full.keras"), 1)
    assert qs.json("eval", "run")["samples"] == 297


@pytest.mark.parametrize("ending", WEIGHTS + [".yaml", ".json"])
def test_folder_in_the_place_of_a_file(qs, ending):
    (qs.folder / f"there{ending}").mkdir()
    before = names(qs.folder)
    one_line(run(qs.folder, "convert", "--lossy", "net.yaml", f"there{ending}"), 1)
    if ending not in (".yaml", ".json"):
        one_line(run(qs.folder, "train", "net.yaml", "--no-out", "--save", f"there{ending}"), 2)
    assert names(qs.folder) == before


def test_link_stays_a_link(qs):
    (qs.folder / "real.keras").write_bytes(PRECIOUS)
    (qs.folder / "link.keras").symlink_to("real.keras")
    qs("convert", "net.yaml", "link.keras")
    assert (qs.folder / "link.keras").is_symlink()
    assert (qs.folder / "real.keras").read_bytes()[:2] == b"PK"


def test_file_in_the_place_of_a_folder(qs):
    (qs.folder / "taken").write_bytes(PRECIOUS)
    for out in ("taken", "taken/run"):
        assert "no folder" in one_line(run(qs.folder, "train", "net.yaml", "--out", out), 1)
    assert "no folder" in one_line(
        run(qs.folder, "train", "net.yaml", "--no-out", "--save", "taken/net.keras"), 2)
    one_line(run(qs.folder, "train", "net.yaml", "--no-out", "--tensorboard", "taken"), 1)
    assert (qs.folder / "taken").read_bytes() == PRECIOUS


def as_nobody():
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


@pytest.fixture
def locked(tmp_path_factory):
    """A folder that may be read but not written to, with a model and a run in it."""
    parent = tmp_path_factory.mktemp("open")
    for path in (parent, *parent.parents):
        if path.owner() == (PROGRAM.parent.owner()) and not path.stat().st_mode & 0o005 \
                and os.access(path, os.W_OK):
            path.chmod(0o755)
    folder = parent / "locked"
    folder.mkdir()
    shutil.copy(PROGRAM, folder / "quickstep")
    shutil.copy(PROGRAM.parent / os.readlink(PROGRAM.parent / "libquickstep.so.0"),
                folder / "libquickstep.so.0")
    (folder / "net.yaml").write_text(RECIPE)
    (folder / "secret.yaml").write_text(RECIPE)
    (folder / "secret.yaml").chmod(0)
    folder.chmod(0o555)
    yield folder
    folder.chmod(0o755)


RECIPE = """\
model: [{input: [64]}, {dense: 10}, softmax: ]
data: {train: digits, scale: max}
train: {epochs: 1}
"""


def in_locked(folder, *arguments):
    return subprocess.run([folder / "quickstep", *arguments], cwd=folder, text=True, timeout=120,
                          capture_output=True, preexec_fn=as_nobody, check=False,
                          env=environment(LD_LIBRARY_PATH=str(folder)))


@pytest.mark.parametrize("arguments,code", [
    (["train", "net.yaml"], 1), (["train", "net.yaml", "--out", "run"], 1),
    (["train", "net.yaml", "--no-out", "--save", "net.keras"], 1),
    (["convert", "net.yaml", "net.keras"], 1), (["convert", "--lossy", "net.yaml", "net.yaml"], 1),
    (["predict", "net.yaml", "--quiet", "--out", "y.npy"], 1), (["info", "secret.yaml"], 2)])
def test_folder_that_may_only_be_read(locked, arguments, code):
    before = names(locked)
    one_line(in_locked(locked, *arguments), code)
    assert names(locked) == before and (locked / "net.yaml").read_text() == RECIPE


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 160 kB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160k", "tmpfs", folder],
                          capture_output=True, check=False)
    if done.returncode != 0:
        pytest.skip("mounting a small disk needs more rights than there are")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def test_disk_that_is_full_before_the_run(qs, small_disk):
    (small_disk / "filler").write_bytes(b"x" * 150000)
    done = run(qs.folder, "train", "net.yaml", "--quiet", "--out", small_disk / "run")
    assert "space" in one_line(done, 1)
    assert (small_disk / "filler").stat().st_size == 150000


@pytest.mark.parametrize("steps", [1, 50])
def test_disk_that_fills_up_during_the_run(qs, small_disk, steps):
    out = small_disk / "run"
    qs("train", "net.yaml", "--quiet", "--out", out, "--steps", steps)
    kept = {p: (out / p).read_bytes() for p in ("checkpoint/last.safetensors", "model.keras")}
    (small_disk / "filler").write_bytes(b"x" * (
        os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize))
    done = run(qs.folder, "train", "--resume", out, "--quiet")
    assert "space" in one_line(done, 1)
    assert {p: (out / p).read_bytes() for p in kept} == kept
    assert not [name for name in names(out) if name.endswith(".new")]
    (small_disk / "filler").unlink()
    assert qs.json("train", "--resume", out)["final"]["loss"] > 0


@pytest.mark.parametrize("limit", [0, 100, 3000, 20000, 30000])
def test_files_that_may_not_grow(qs, limit):
    """Wherever the limit stops it, what is left can be gone on with or begun anew."""
    def limit_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    done = run(qs.folder, "train", "net.yaml", "--quiet", "--out", "run", before=limit_files)
    one_line(done, 1)
    if (qs.folder / "run/checkpoint/last.safetensors").exists():
        result = qs.json("train", "--resume", "run")
    else:
        result = qs.json("train", "net.yaml", "--out", "run")
    assert result["final"] == qs.json("train", "net.yaml", "--no-out")["final"]
