"""Training goes on from a saved model with the optimizer's state, unless another one is asked for."""
import pytest

OPTIMIZERS = ["adam", "adam:amsgrad=true", "adamw", "nadam", "adamax", "adagrad", "adadelta:1",
              "rmsprop:momentum=0.5,centered=true", "sgd:momentum=0.9,learning_rate=0.1", "lion",
              "ftrl:learning_rate=0.05"]


def epochs(program, *arguments):
    result = program.json("train", *arguments, "--no-shuffle", "--no-out", "--quiet")
    return [epoch["loss"] for epoch in result["epochs"]]


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_two_and_one_epochs_are_three(qs, optimizer):
    straight = epochs(qs, "net.yaml", "--optimizer", optimizer, "--epochs", 3)
    first = epochs(qs, "net.yaml", "--optimizer", optimizer, "--epochs", 2, "--save", "two.keras")
    last = epochs(qs, "two.keras", "--data", "digits", "--scale", "max", "--batch", 32,
                  "--epochs", 1)
    assert first == straight[:2]
    assert last[0] == pytest.approx(straight[2], rel=1e-6)


def test_a_rate_that_is_asked_for_holds(qs):
    epochs(qs, "net.yaml", "--epochs", 1, "--save", "one.keras")
    result = qs.json("train", "one.keras", "--lr", "0.25", "--epochs", 1, "--no-out")
    assert result["epochs"][0]["lr"] == pytest.approx(0.25, rel=1e-6)


def test_another_optimizer_begins_anew(qs):
    epochs(qs, "net.yaml", "--epochs", 2, "--save", "two.keras")
    common = ["--data", "digits", "--scale", "max", "--batch", 32, "--epochs", 1]
    once = epochs(qs, "two.keras", *common, "--optimizer", "nadam:learning_rate=0.002")
    qs("convert", "--lossy", "two.keras", "two.safetensors")
    fresh = epochs(qs, "net.yaml", "--weights", "two.safetensors", "--batch", 32, "--epochs", 1,
                   "--optimizer", "nadam:learning_rate=0.002")
    assert once[0] == pytest.approx(fresh[0], rel=1e-6)
