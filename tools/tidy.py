#!/usr/bin/env python3
"""Run clang-tidy on each source, one file a run, as many at once as there are cores.

usage: tidy.py BUILD [FILE…]

A file that passed is not looked at again until it, a header or the rules change.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys


def sources(build):
    here = pathlib.Path.cwd()
    for entry in json.loads(pathlib.Path(build, "compile_commands.json").read_text()):
        path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        if path.is_relative_to(here) and path.relative_to(here).parts[0] in ("src", "cli"):
            yield str(path.relative_to(here))


def state_of_rules():
    digest = hashlib.sha256()
    for path in (".clang-tidy", *sorted(map(str, pathlib.Path().glob("include/**/*.h"))),
                 *sorted(map(str, pathlib.Path().glob("src/**/*.[hk]"))),
                 *sorted(map(str, pathlib.Path().glob("src/**/*.def")))):
        digest.update(pathlib.Path(path).read_bytes())
    return digest.digest()


def check(build, path, rules):
    digest = hashlib.sha256(rules + path.encode() + pathlib.Path(path).read_bytes()).hexdigest()
    stamp = pathlib.Path(build, "tidy", digest)
    if stamp.exists():
        return ""
    run = subprocess.run(["clang-tidy", "--quiet", "-p", build, path], text=True,
                         capture_output=True, check=False)
    if run.returncode:
        return run.stdout
    stamp.parent.mkdir(exist_ok=True)
    stamp.touch()
    return ""


def main():
    build, *named = sys.argv[1:]
    paths, rules = named or sorted(set(sources(build))), state_of_rules()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints = [text for text in pool.map(lambda path: check(build, path, rules), paths) if text]
    print("\n".join(complaints) if complaints else f"clang-tidy: {len(paths)} files")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
