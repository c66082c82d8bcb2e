"""Progress and interruption: what a person at a terminal sees, and what is left of a stopped run."""
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import time

import pytest

from conftest import PROGRAM, environment

LONG = ["train", "net.yaml", "--epochs", "100000", "--out", "run"]


def on_terminal(folder, *arguments, columns=100, **env):
    """stderr as a terminal got it, and the exit code."""
    try:
        master, slave = pty.openpty()
    except OSError as none:
        pytest.skip(f"no terminal to be had: {none}")
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([PROGRAM, *arguments], cwd=folder, stdin=slave, stdout=subprocess.PIPE,
                               stderr=slave, env=environment(TERM="xterm", **env))
    os.close(slave)
    shown = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(master)
    process.communicate(timeout=60)
    return shown.decode(), process.returncode


# An epoch takes 0.6 s on any machine, for its 20 batches are loaded slowly.
BUSY = ["train", "net.yaml", "--no-out", "--epochs", "4", "--data", "synthetic:400,64,10",
        "--batch", "20"]
SLOWLY = {"QUICKSTEP_INJECT": "load_ms=30"}


def test_bar_on_a_terminal(qs):
    shown, code = on_terminal(qs.folder, *BUSY, **SLOWLY)
    assert code == 0
    drawn = shown.split("\r")
    bars = [line for line in drawn if re.search(r"epoch \d/4 .*\[#*-*\]", line)]
    assert bars, shown
    assert any(re.search(r"  [\d,]+/s  .* left", line) for line in bars)
    assert any("loss" in line and "accuracy" in line for line in bars)
    assert "\x1b[32m" in shown
    assert re.search(r"epoch 4/4  loss ", shown)


def test_bar_fits_the_terminal(qs):
    shown, _ = on_terminal(qs.folder, *BUSY, columns=40, **SLOWLY)
    for line in shown.split("\r"):
        plain = re.sub(r"\x1b\[[0-9;]*[mK]", "", line)
        if "[#" in plain or "[-" in plain:
            assert len(plain) < 40, plain


def test_no_color(qs):
    shown, _ = on_terminal(qs.folder, *BUSY, NO_COLOR="1", **SLOWLY)
    assert "epoch 1/4" in shown and not re.search(r"\x1b\[[0-9;]*m", shown)


def test_quiet_is_silent(qs):
    assert on_terminal(qs.folder, *BUSY, "--quiet")[0] == ""
    done = qs("train", "net.yaml", "--out", "run", "--quiet")
    assert done.stderr == "" and done.stdout


def test_a_dumb_terminal_gets_lines(qs):
    done = qs(*BUSY)
    assert len(re.findall(r"^epoch \d/4  loss ", done.stderr, re.M)) == 4


def stopped(qs, *arguments, how=signal.SIGINT):
    process = qs.start(*arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.time() + 20
    while not (qs.folder / "run/history.csv").exists() and time.time() < deadline:
        time.sleep(0.02)
    time.sleep(0.1)
    process.send_signal(how)
    out, err = process.communicate(timeout=30)
    return process.returncode, out.decode(), err.decode()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_saves_and_says_how_to_resume(qs, how):
    code, _, err = stopped(qs, *LONG, how=how)
    assert code == 130
    assert "go on with: quickstep train --resume run" in err
    assert "error" not in err
    assert (qs.folder / "run/model.keras").exists()
    # ... and the advice works
    result = qs.json("train", "--resume", "run", "--steps", "10")
    assert result["epochs"] == [] or result["epochs"][0]["epoch"] == 1


def test_interrupt_with_json_prints_the_result(qs):
    import json
    code, out, _ = stopped(qs, *LONG, "--json")
    result = json.loads(out)
    assert code == 130 and result["stop"] == "stopped" and result["run"] == "run"


def test_killed_run_can_be_resumed(qs):
    code, _, _ = stopped(qs, *LONG, how=signal.SIGKILL)
    assert code == -signal.SIGKILL
    done = qs.json("train", "--resume", "run", "--epochs", "1")
    assert done["run"] == "run"
