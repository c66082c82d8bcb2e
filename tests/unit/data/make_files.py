#!/usr/bin/env python3
"""Make the files that sources_test.c reads, with NumPy, h5py and Pillow: make_files.py FOLDER

Element i of every array of samples is (7 * i) % 251; label i is i % 3. The files are committed, so
that the tests need none of the three.
"""
import gzip
import pathlib
import struct
import sys

import h5py
import numpy as np
from PIL import Image


def numbers(*shape):
    return (7 * np.arange(np.prod(shape)) % 251).reshape(shape)


def numpy_files(to):
    x, y, w = numbers(6, 2, 3), np.arange(6) % 3, np.arange(6) / 4
    np.savez_compressed(to / "packed.npz", x=x.astype(np.uint8), y=y, sample_weight=w)
    np.savez(to / "stored.npz", x_train=x.astype(np.float32), y_train=y.astype(np.uint8),
             x_test=x[:2].astype(np.float32), y_test=y[:2].astype(np.uint8))
    np.savez(to / "odd.npz", samples=x, one_hot=np.eye(3)[y], records=np.zeros(6, "i4,f4"))
    np.save(to / "x.npy", x.astype(np.float32))
    np.save(to / "y.npy", y.astype(np.int32))
    np.save(to / "w.npy", w.astype(np.float32))
    np.save(to / "fortran.npy", np.asfortranarray(x.astype(np.float64)))
    np.save(to / "short_y.npy", y[:5])
    np.save(to / "minus.npy", np.array([0, 1, -1, 0, 1, 2]))
    np.save(to / "real.npy", np.array([0.5, 1, 2, 3, 4, 5]))
    np.save(to / "whole.npy", np.array([[2.0], [1], [0], [0], [1], [2]]))
    bad = x.astype(np.float32)
    bad[4, 1, 0] = np.nan
    np.save(to / "nan.npy", bad)
    np.save(to / "none.npy", np.zeros((0, 3), np.float32))


def idx(code, array):
    return struct.pack(">HBB", 0, code, array.ndim) + struct.pack(f">{array.ndim}I", *array.shape) + array.tobytes()


def idx_files(to):
    x, y = numbers(6, 2, 3), np.arange(6) % 3
    images, labels = idx(8, x.astype(np.uint8)), idx(8, y.astype(np.uint8))
    (to / "images-idx3-ubyte").write_bytes(images)
    (to / "labels-idx1-ubyte").write_bytes(labels)
    (to / "images.gz").write_bytes(gzip.compress(images, mtime=0))
    (to / "labels.gz").write_bytes(gzip.compress(labels, mtime=0))
    (to / "floats-idx").write_bytes(idx(13, x.astype(">f4")))
    (to / "cut-idx").write_bytes(images[:-1])
    (to / "long-idx").write_bytes(images + b"\0")
    (to / "huge-idx").write_bytes(images[:4] + b"\xff" * 12 + images[16:])
    (to / "cut.gz").write_bytes(gzip.compress(images, mtime=0)[:-9])


def hdf5_files(to):
    x, y = numbers(6, 2, 3), np.arange(6) % 3
    with h5py.File(to / "table.h5", "w", track_order=False) as file:
        file.create_dataset("x", data=x.astype(np.int16), chunks=(4, 2, 3), compression="gzip")
        file["y"] = y.astype(">i4")
        file["part/x"] = x.astype(np.float64)
        file["part/y"] = np.eye(3, dtype=np.float32)[y]
        file["half"] = x.astype(np.float16)
        file["text"] = np.array([b"a", b"b"])
        file["links/far"] = h5py.ExternalLink("packed.npz", "x")
        file["links/soft"] = h5py.SoftLink("/x")
        file.create_dataset("never", (1000, 1000), np.float32)


def pictures(to):
    grey, colour = numbers(4, 5).astype(np.uint8), numbers(4, 5, 3).astype(np.uint8)
    for name, kind, array in (("pictures/cat/2.png", "L", grey), ("pictures/cat/10.png", "RGB", colour),
                              ("pictures/dog/a.PNG", "L", grey), ("grey/a/1.png", "L", grey),
                              ("sizes/a/1.png", "L", grey), ("sizes/b/2.png", "L", grey[:3]),
                              ("cut/a/1.png", "L", grey)):
        path = to / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(array).convert(kind).save(path, format="PNG")
    Image.new("RGB", (5, 4), (200, 100, 50)).save(to / "pictures/dog/b.jpg", quality=100, subsampling=0)
    alpha = np.dstack([colour, np.full((4, 5), 255, np.uint8)])
    alpha[0, 0, 3] = 0
    Image.fromarray(alpha).save(to / "pictures/dog/c.png")
    (to / "pictures/notes.txt").write_text("not a class\n")
    (to / "pictures/dog/notes.txt").write_text("not a picture\n")
    whole = (to / "cut/a/1.png").read_bytes()
    (to / "cut/a/1.png").write_bytes(whole[:-20])


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for make in (numpy_files, idx_files, hdf5_files, pictures):
        make(folder)
