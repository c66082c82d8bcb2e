"""The command line itself: help, names, values, exit codes."""
import re

import pytest

VERBS = ["train", "eval", "predict", "info", "convert", "devices"]

# Every option that the user is promised, by command.
PROMISED = {
    "train": "data valid validation-split epochs batch steps optimizer lr loss metrics device "
             "threads precision seed shuffle no-shuffle resident prefetch early-stop reduce-lr "
             "class-weight weights out no-out save resume checkpoint-every steps-json json quiet "
             "scale test tensorboard",
    "eval": "data batch device json quiet",
    "predict": "data out latency json quiet",
    "info": "batch device json quiet",
    "convert": "weights lossy json quiet",
    "devices": "profiles json quiet",
}


def options_of(text):
    """Names in a help text, "--[no-]x" being two."""
    names = set()
    for sign, name in re.findall(r"^  --(\[no-\])?([a-z-]+)", text, re.M):
        names.add(name)
        if sign:
            names.add("no-" + name)
    return names


def test_without_arguments_it_prints_help(qs):
    assert qs().stdout == qs("--help").stdout == qs("help").stdout
    for verb in VERBS:
        assert re.search(rf"^  {verb} ", qs().stdout, re.M)


def test_version(qs):
    assert re.fullmatch(r"quickstep \d+\.\d+\.\d+\n", qs("--version").stdout)


@pytest.mark.parametrize("verb", VERBS)
def test_help_has_every_promised_option(qs, verb):
    text = qs(verb, "--help").stdout
    assert text.startswith(f"Usage: quickstep {verb}")
    assert set(PROMISED[verb].split()) <= options_of(text)
    assert qs("help", verb).stdout == text


@pytest.mark.parametrize("verb", VERBS)
def test_help_fits_a_terminal(qs, verb):
    assert max(map(len, qs(verb, "--help").stdout.splitlines())) <= 84


@pytest.mark.parametrize("topic", ["models", "data", "recipe", "environment", "exits", "layers",
                                   "losses", "optimizers", "metrics", "activations"])
def test_help_on_topics(qs, topic):
    assert len(qs("help", topic).stdout.splitlines()) > 3


def test_unknown_topic(qs):
    assert "optimizers" in qs.error("help", "optimisers")


def test_unknown_verb_lists_the_nearest(qs):
    assert "did you mean 'train'" in qs.error("trian")
    assert "convert" in qs.error("covnert")
    assert "--help" in qs.error("xyzzyxyzzy")


@pytest.mark.parametrize("given,meant", [("--epoch", "--epochs"), ("--epocs=3", "--epochs"),
                                         ("--optimiser", "--optimizer"), ("--shufle", "--shuffle"),
                                         ("--no-shufle", "--no-shuffle"), ("--devcie", "--device")])
def test_unknown_option_lists_the_nearest(qs, given, meant):
    text = qs.error("train", given)
    assert f"unknown option {given.split('=')[0]}" in text and meant in text


def test_unknown_option_with_nothing_near(qs):
    assert "--help" in qs.error("devices", "--xyzzyxyzzy")
    assert "unknown option -x" in qs.error("devices", "-x")


@pytest.mark.parametrize("arguments", [
    ["--epochs"], ["--epochs", "--json"], ["--epochs="], ["--epochs", "x"], ["--epochs", "0"],
    ["--epochs", "-1"], ["--epochs", "1.5"], ["--epochs", "99999999999999999999"],
    ["--batch", "0"], ["--threads", "0"], ["--threads", "100000"], ["--validation-split", "1"],
    ["--validation-split", "nan"], ["--validation-split", "0,5"], ["--precision", "f8"],
    ["--resident", "maybe"], ["--scale", "l3"], ["--json=1"], ["--shuffle=no"], ["--seed", "1e3"],
    ["--checkpoint-every", "0"], ["--out", "a", "--no-out"],
    ["--valid", "digits", "--validation-split", "0.1"], ["net.yaml", "other.yaml"]])
def test_bad_values_are_usage_errors(qs, arguments):
    stderr = qs("train", *arguments, code=2).stderr
    assert stderr.startswith("quickstep: error: ") and stderr.count("\n") == 1


def test_ranges_are_named(qs):
    assert "from 1 to 4096" in qs.error("train", "--threads", "0")
    assert "f32|bf16|f16|tf32" in qs.error("train", "--precision", "f8")


def test_environment_stands_in_and_is_named_when_wrong(qs):
    assert "QUICKSTEP_THREADS" in qs.error("train", QUICKSTEP_THREADS="many")
    assert "tpu" in qs.error("info", "net.yaml", QUICKSTEP_DEVICE="tpu")
    qs("info", "net.yaml", "--device", "cpu", QUICKSTEP_DEVICE="tpu")


def test_missing_operands(qs):
    for verb, needed in (("eval", 1), ("predict", 1), ("info", 1), ("convert", 2)):
        assert f"0 of {needed} operands" in qs.error(verb)


def test_options_may_stand_anywhere(qs):
    first = qs("info", "net.yaml", "--batch=7", "--json").stdout
    assert qs("info", "--json", "--batch", "7", "net.yaml").stdout == first
    assert qs("--json", "info", "--batch", "7", "--", "net.yaml").stdout == first


def test_two_dashes_end_the_options(qs):
    (qs.folder / "--json").write_text((qs.folder / "net.yaml").read_text())
    qs("convert", "--", "net.yaml", "--json.yaml")
    assert (qs.folder / "--json.yaml").exists()


def test_errors_in_json_are_an_object(qs):
    document = qs.json("train", "--epochs", "x", code=2)
    assert document["verb"] == "train" and document["error"]["exit"] == 2
    assert "--epochs" in document["error"]["text"]


def test_result_that_cannot_be_written_is_a_failure(qs):
    with open("/dev/full", "w") as full:
        process = qs.start("devices", stdout=full, stderr=-1)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert err.decode().startswith("quickstep: error: standard output: ")
