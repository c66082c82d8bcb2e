"""What the documents say is true: commands run, links lead somewhere, tables agree."""
import os
import pathlib
import re
import shlex
import subprocess

import pytest

SOURCE = pathlib.Path(os.environ.get("QS_SOURCE", "."))
PROGRAM = pathlib.Path(os.environ.get("QS_BUILD", "build"), "quickstep").resolve()
PAGES = sorted([*SOURCE.glob("*.md"), *SOURCE.glob("docs/**/*.md")])


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.M | re.S)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(SOURCE)))
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_the_tour_of_the_readme_runs(tmp_path):
    (tmp_path / "net.yaml").write_text(blocks(SOURCE / "README.md", "yaml")[0])
    commands = [shlex.split(line, comments=True)
                for line in blocks(SOURCE / "README.md", "sh")[0].splitlines() if line]
    assert len(commands) >= 6
    for command in commands:
        assert command[0] == "quickstep"
        done = subprocess.run([PROGRAM, *command[1:]], cwd=tmp_path, capture_output=True, text=True,
                              timeout=120, check=False)
        assert done.returncode == 0, f"{shlex.join(command)}\n{done.stderr}"
    for name in ("net.keras", "net.h5", "answers.csv", "run/run.json"):
        assert (tmp_path / name).stat().st_size > 0, name


def test_the_readme_is_short():
    assert len((SOURCE / "README.md").read_text().splitlines()) <= 100


def test_folders_of_the_architecture_exist():
    text = (SOURCE / "docs/ARCHITECTURE.md").read_text()
    for folder in re.findall(r"^\| [\d–] \| `(\S*)` \|", text, re.M):
        assert (SOURCE / folder).is_dir(), folder


def test_where_to_add_what_exists():
    text = (SOURCE / "docs/ARCHITECTURE.md").read_text()
    for path in re.findall(r"`([\w/]+\.def)`", text):
        assert (SOURCE / path).is_file(), path
