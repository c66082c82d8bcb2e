"""Man page and completions are made of the option tables: they agree with --help."""
import re
import shutil
import subprocess

import pytest

from test_usage import VERBS, options_of

COMMON = {"json", "quiet", "help"}


def man_options(page, verb):
    section = page.split(f'.SS\nquickstep {verb}', 1)[1]
    section = re.split(r"^\.S[SH]", section, maxsplit=1, flags=re.M)[0]
    plain = section.replace("\\-", "-")
    return options_of(re.sub(r"^\.B ", "  ", plain, flags=re.M))


@pytest.mark.parametrize("verb", VERBS)
def test_man_page(qs, verb):
    page = qs("help", "--man").stdout
    assert man_options(page, verb) == options_of(qs(verb, "--help").stdout) - COMMON


def test_man_page_has_its_sections(qs):
    page = qs("help", "--man").stdout
    for title in ("NAME", "SYNOPSIS", "COMMANDS", "MODELS", "DATA", "ENVIRONMENT", "EXIT STATUS"):
        assert re.search(rf'^\.SH "?{title}"?$', page, re.M)
    for variable in ("QUICKSTEP_DEVICE", "QUICKSTEP_THREADS", "QUICKSTEP_DATA", "NO_COLOR"):
        assert variable in page


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_man_page_has_no_faults(qs):
    done = subprocess.run(["groff", "-ww", "-man", "-Tascii"], input=qs("help", "--man").stdout,
                          text=True, capture_output=True, check=True)
    assert done.stderr == ""


def complete(script, *words):
    """What bash offers for the last word."""
    line = " ".join(f"'{w}'" for w in words)
    done = subprocess.run(
        ["bash", "-c", f'{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}\n'
                       '_quickstep; printf "%s\\n" "${COMPREPLY[@]}"'],
        text=True, capture_output=True, check=True)
    assert done.stderr == ""
    return set(done.stdout.split())


@pytest.mark.parametrize("verb", VERBS)
def test_bash_completes_every_option(qs, verb):
    script = qs("help", "--completion", "bash").stdout
    offered = complete(script, "quickstep", verb, "--")
    assert {word[2:] for word in offered} == options_of(qs(verb, "--help").stdout)


def test_bash_completes_verbs_values_and_files(qs):
    script = f"cd {qs.folder}\n" + qs("help", "--completion", "bash").stdout
    assert complete(script, "quickstep", "tr") == {"train"}
    assert complete(script, "quickstep", "train", "--scale", "mi") == {"minmax"}
    assert "nadam" in complete(script, "quickstep", "train", "--optimizer", "na")
    assert "categorical_crossentropy" in complete(script, "quickstep", "train", "--loss", "cat")
    assert complete(script, "quickstep", "train", "ne") == {"net.yaml"}


@pytest.mark.parametrize("shell,pattern", [("zsh", r"'--((?:no-)?[a-z-]+)"),
                                           ("fish", r" -l ([a-z-]+)")])
def test_other_shells_have_the_same_options(qs, shell, pattern):
    script = qs("help", "--completion", shell).stdout
    offered = set(re.findall(pattern, script))
    for verb in VERBS:
        assert options_of(qs(verb, "--help").stdout) <= offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_are_sound(qs, shell):
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    subprocess.run([shell, "-n"], input=qs("help", "--completion", shell).stdout, text=True,
                   check=True)


def test_unknown_shell(qs):
    assert "bash|zsh|fish" in qs.error("help", "--completion", "csh")
