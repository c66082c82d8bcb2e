"""The examples do what their first lines promise."""
import os
import pathlib
import re
import subprocess

import pytest

EXAMPLES = pathlib.Path(os.environ.get("QS_BUILD", "build"), "examples")
SOURCES = pathlib.Path(os.environ.get("QS_SOURCE", "."), "examples")


def run(name, *arguments, text=""):
    done = subprocess.run([EXAMPLES / name, *map(str, arguments)], input=text, text=True,
                          capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_train_arrays_learns_and_its_file_predicts(tmp_path):
    lines = run("train_arrays", tmp_path / "moons.keras").splitlines()
    assert len(lines) == 20
    assert float(lines[-1].split()[-1]) > 0.95
    # the middle of the upper arc is class 0, that of the lower arc class 1
    out = run("predict_loop", tmp_path / "moons.keras", text="0 1\n1 -0.5\n")
    upper, lower = ([float(word) for word in line.split()] for line in out.splitlines())
    assert upper[0] > 0.9 and lower[1] > 0.9
    assert sum(upper) == pytest.approx(1, abs=1e-5)


def test_online_finds_the_line():
    out = run("online")
    errors = [float(line.split()[-1]) for line in out.splitlines() if line.startswith("after")]
    assert errors[-1] < 1e-3 < errors[0]
    found = dict(re.findall(r"(\S+) starts with (\S+)", out))
    assert float(found["dense/kernel"]) == pytest.approx(2, abs=0.02)
    assert float(found["dense/bias"]) == pytest.approx(1, abs=0.02)


def test_custom_source_learns_to_tell_rows_from_columns():
    assert float(run("custom_source").split()[-1]) > 0.95


@pytest.mark.parametrize("source", sorted(SOURCES.glob("*.c")), ids=lambda path: path.stem)
def test_each_is_short_and_public(source):
    text = source.read_text()
    assert len(text.splitlines()) <= 80
    assert set(re.findall(r'#include [<"]((?:quickstep|base|nn|train|data|format)/[^>"]+)', text)) \
        == {"quickstep/quickstep.h"}
