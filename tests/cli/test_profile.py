"""--profile: trace.json.gz holds what ran, on named lanes, without overlap."""
import gzip
import json


def events(folder):
    with gzip.open(folder / "trace.json.gz") as file:
        return json.load(file)["traceEvents"]


def profile(qs):
    qs("train", "net.yaml", "--profile", "--threads", 2, "--epochs", 1, "--out", "run", "--quiet")
    return events(qs.folder / "run")


def test_lanes_are_named(qs):
    names = {e["tid"]: e["args"]["name"] for e in profile(qs)
             if e["name"] == "thread_name"}
    assert names == {0: "worker 0", 1: "worker 1"}


def test_every_step_is_there_and_calls_have_their_layer(qs):
    spans = [e for e in profile(qs) if e["ph"] == "X"]
    steps = [e for e in spans if e["name"] == "step"]
    assert len(steps) == 47 + 10  # 1,500 rows to train, 297 to test, in batches of 32
    layers = {e["args"]["layer"] for e in spans if e["name"] == "dense_dw"}
    assert layers == {"dense", "dense_1"}


def test_spans_of_a_lane_follow_one_another(qs):
    spans = [e for e in profile(qs) if e["ph"] == "X" and e["name"] != "step"]
    for lane in (0, 1):
        mine = sorted((e for e in spans if e["tid"] == lane), key=lambda e: e["ts"])
        for before, after in zip(mine, mine[1:]):
            assert before["ts"] + before["dur"] <= after["ts"] + 0.01


def test_a_layer_may_be_called_anything(qs):
    config = {"class_name": "Sequential", "config": {"name": "odd", "layers": [
        {"class_name": "InputLayer", "config": {"batch_shape": [None, 64], "name": "in"}},
        {"class_name": "Dense", "config": {"name": 'the "first"', "units": 10, "activation": "softmax"}}]}}
    (qs.folder / "odd.json").write_text(json.dumps(config))
    qs("train", "odd.json", "--data", "digits", "--steps", 2, "--profile", "--out", "run", "--quiet")
    spans = [e for e in events(qs.folder / "run") if e["ph"] == "X"]
    assert {e["args"]["layer"] for e in spans if e["name"] == "dense"} == {'the "first"'}


def test_needs_a_folder(qs):
    assert "folder" in qs.error("train", "net.yaml", "--profile", "--no-out")
