"""Runs the program as a user would: in an empty folder, with a clean environment."""
import json
import os
import pathlib
import subprocess

import pytest

BUILD = pathlib.Path(os.environ.get("QS_BUILD", "build")).resolve()
SOURCE = pathlib.Path(os.environ.get("QS_SOURCE", pathlib.Path(__file__).parents[2])).resolve()
PROGRAM = BUILD / "quickstep"

RECIPE = """\
model:
  - input: [64]
  - dense: {units: 24, activation: relu}
  - dense: {units: 10, activation: softmax}
data: {train: digits, scale: max}
train: {loss: categorical_crossentropy, optimizer: {adam: {learning_rate: 0.005}}, batch_size: 32,
        epochs: 2, metrics: [accuracy]}
"""


def environment(**extra):
    kept = {k: v for k, v in os.environ.items()
            if not k.startswith("QUICKSTEP_") and k not in ("NO_COLOR", "LC_ALL")}
    return {**kept, **extra}


class Program:
    """The program, started in one folder."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, *arguments, code=0, **env):
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, text=True,
                              env=environment(**env), capture_output=True, timeout=120,
                              check=False, stdin=subprocess.DEVNULL)
        assert done.returncode == code, f"{arguments}: {done.returncode}\n{done.stderr}"
        return done

    def start(self, *arguments, **pipes):
        """Not waited for."""
        return subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder,
                                env=environment(), stdin=subprocess.DEVNULL, **pipes)

    def json(self, *arguments, code=0, **env):
        """Exactly one object, and numbers that JSON has."""
        done = self(*arguments, "--json", code=code, **env)

        def refuse(text):
            raise AssertionError(f"{text} is no JSON number")
        document = json.loads(done.stdout, parse_constant=refuse)
        assert isinstance(document, dict)
        return document

    def error(self, *arguments, code=2, **env):
        """The one line on stderr that says what is wrong; nothing on stdout."""
        done = self(*arguments, code=code, **env)
        assert done.stdout == ""
        lines = done.stderr.splitlines()
        assert len(lines) == 1, done.stderr
        assert lines[0].startswith("quickstep: error: ")
        where, _, what = lines[0][len("quickstep: error: "):].partition(": ")
        assert where and what
        assert ";" in what, f"says nothing about what to do: {lines[0]}"
        return lines[0]


@pytest.fixture
def qs(tmp_path):
    (tmp_path / "net.yaml").write_text(RECIPE)
    return Program(tmp_path)


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """A folder with net.yaml and a finished run in run/; shared, so do not write to it."""
    folder = tmp_path_factory.mktemp("trained")
    (folder / "net.yaml").write_text(RECIPE)
    program = Program(folder)
    program.result = program.json("train", "net.yaml", "--out", "run", "--epochs", 4)
    return program
