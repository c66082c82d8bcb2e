"""Packed data sets in HDF5: read whole, or refused where a chunk is not what it says."""
import zlib

import h5py
import numpy as np
import pytest


def write(path, **options):
    x = np.arange(600, dtype="f4").reshape(60, 10)
    with h5py.File(path, "w") as file:
        file.create_dataset("x", data=x, chunks=(16, 10), **options)
        file.create_dataset("y", data=np.arange(60) % 3)


def model(qs):
    (qs.folder / "three.yaml").write_text("model:\n  - input: [10]\n  - dense: {units: 3, activation: softmax}\n")
    return "three.yaml"


@pytest.mark.parametrize("options", [{}, {"compression": "gzip"}, {"compression": "gzip", "shuffle": True},
                                     {"compression": "gzip", "fletcher32": True}, {"fletcher32": True}])
def test_chunks_are_read(qs, options):
    write(qs.folder / "d.h5", **options)
    done = qs.json("train", model(qs), "--data", "d.h5:x,y", "--steps", 1, "--scale", "minmax", "--no-out")
    assert done["epochs"][0]["samples"] == 60


def test_a_chunk_that_unpacks_short_is_refused(qs):
    write(qs.folder / "d.h5", compression="gzip")
    with h5py.File(qs.folder / "d.h5", "r+") as file:
        file["x"].id.write_direct_chunk((16, 0), zlib.compress(b"short"))
    assert "unpack" in qs.error("train", model(qs), "--data", "d.h5:x,y", "--no-out")


def test_an_unknown_filter_is_refused_by_number(qs):
    write(qs.folder / "d.h5", compression="lzf")
    assert "filter 32000" in qs.error("train", model(qs), "--data", "d.h5:x,y", "--no-out")
