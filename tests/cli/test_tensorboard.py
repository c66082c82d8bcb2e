"""--tensorboard: event files that hold what the result says, read by the published format."""
import struct

import pytest


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(path):
    data = path.read_bytes()
    while data:
        (length, check), body = struct.unpack("<QI", data[:12]), data[12:]
        assert check == crc32c(data[:8])
        yield body[:length]
        assert struct.unpack("<I", body[length:length + 4])[0] == crc32c(body[:length])
        data = body[length + 4:]


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
        if not data[at - 1] & 0x80:
            return value, at


def fields(data):
    at, found = 0, {}
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            found[key >> 3], at = varint(data, at)
        elif key & 7 == 2:
            n, at = varint(data, at)
            found[key >> 3], at = data[at:at + n], at + n
        else:
            size, kind = (8, "<d") if key & 7 == 1 else (4, "<f")
            found[key >> 3], at = struct.unpack(kind, data[at:at + size])[0], at + size
    return found


def scalars(folder):
    """{tag: [value of epoch 1, …]}"""
    [path] = folder.glob("events.out.tfevents.*")
    first, *rest = [fields(record) for record in records(path)]
    assert first[3] == b"brain.Event:2"
    found = {}
    for event in rest:
        value = fields(fields(event[5])[1])
        found.setdefault(value[1].decode(), []).append((event.get(2, 0), value[2]))
    for values in found.values():
        assert [step for step, _ in values] == list(range(len(values)))
    return {tag: [value for _, value in values] for tag, values in found.items()}


def test_scores_of_each_epoch(qs):
    result = qs.json("train", "net.yaml", "--no-out", "--tensorboard", "tb", "--epochs", 3,
                     "--validation-split", "0.2")
    train, valid = scalars(qs.folder / "tb/train"), scalars(qs.folder / "tb/validation")
    assert set(train) == {"epoch_loss", "epoch_accuracy", "epoch_learning_rate"}
    assert set(valid) == {"epoch_loss", "epoch_accuracy"}
    for key in ("loss", "accuracy"):
        assert train[f"epoch_{key}"] == pytest.approx([e[key] for e in result["epochs"]], rel=1e-6)
        assert valid[f"epoch_{key}"] == pytest.approx([e[f"val_{key}"] for e in result["epochs"]],
                                                      rel=1e-6)


def test_a_folder_that_cannot_be_made(qs):
    message = qs.error("train", "net.yaml", "--no-out", "--quiet", "--tensorboard", "no/where/tb",
                       code=1)
    assert "--tensorboard no/where/tb" in message
