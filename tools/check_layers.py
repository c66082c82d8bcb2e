#!/usr/bin/env python3
"""Hold #include lines against the order of folders.

A file may include its own folder, lower ones and include/; never a sibling or a higher one. The
table is the architecture: change it on purpose.
"""
import pathlib
import re
import sys

RANK = {
    "include/quickstep": -1,
    "src/base": 0, "src/tensor": 1, "src/kernels": 2, "src/device": 3, "src/graph": 4, "src/nn": 5,
    "src/data": 6, "src/format": 6, "src/dist": 6, "src/train": 7, "src/prof": 7, "src/report": 8,
    "cli": 9, "examples": 9,
}
ONLY_PUBLIC = {"include/quickstep", "cli", "examples"}  # these see include/ and themselves
ROOTS = (pathlib.Path("include"), pathlib.Path("src"), pathlib.Path())
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')


def folder_of(path):
    return max((f for f in RANK if path.as_posix().startswith(f + "/")), key=len, default=None)


def resolve(name, source):
    return next((root / name for root in (source.parent, *ROOTS) if (root / name).is_file()), None)


def allowed(home, there):
    if there == home:
        return True
    if home in ONLY_PUBLIC:
        return there == "include/quickstep"
    return RANK[there] < RANK[home]


def wrong_lines(source):
    home = folder_of(source)
    if home is None:
        yield f"{source}:1: no folder of the table; give it a rank in tools/check_layers.py"
        return
    for number, text in enumerate(source.read_text().splitlines(), 1):
        found = INCLUDE.match(text)
        target = resolve(found[1], source) if found else None
        there = folder_of(target) if target else None
        if there and not allowed(home, there):
            yield f"{source}:{number}: {home} may not include {there} ({found[1]})"


def main():
    sources = (p for d in ("include", "src", "cli", "examples") for p in pathlib.Path(d).rglob("*"))
    bad = [text for p in sorted(sources) if p.suffix in (".c", ".h", ".k", ".def")
           for text in wrong_lines(p)]
    print("\n".join(bad) if bad else "layers: every #include points downwards")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
