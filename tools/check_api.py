#!/usr/bin/env python3
"""Hold the public interface to its rules.

usage: check_api.py BUILD [--update]

Every function that returns qs_status documents its "Errors"; every public header compiles alone, as
C and as C++; and the library exports exactly the names in tools/api.txt, which --update rewrites
from the headers.
"""
import pathlib
import re
import subprocess
import sys

LIST = pathlib.Path("tools/api.txt")
HEADERS = sorted(pathlib.Path("include/quickstep").glob("*.h"))
# An optional doc block, then the declaration that belongs to it.
DECLARED = re.compile(r"(/\*\*(?:[^*]|\*(?!/))*\*/\s*)?^QS_API\s+([^;(]*?)\b(qs_\w+)\s*\(", re.M)


def declared():
    for header in HEADERS:
        for found in DECLARED.finditer(header.read_text()):
            yield header, found[1] or "", found[2], found[3]


def undocumented():
    for header, doc, returns, name in declared():
        if "qs_status" in returns and name != "qs_status_text" and "Errors" not in doc:
            yield f'{header}: {name} returns qs_status and its comment has no "Errors"'


def not_alone():
    for header in HEADERS:
        for language, standard in (("c", "c11"), ("c++", "c++11")):
            run = subprocess.run(["cc", f"-x{language}", f"-std={standard}", "-Wall", "-Wextra",
                                  "-Wpedantic", "-Werror", "-Iinclude", "-fsyntax-only", "-"],
                                 input=f'#include "quickstep/{header.name}"\n', text=True,
                                 capture_output=True, check=False)
            if run.returncode:
                yield f"{header}: does not compile alone as {language}:\n{run.stderr}"


def exports(build):
    out = subprocess.run(["nm", "-D", "--defined-only", f"{build}/libquickstep.so"], text=True,
                         capture_output=True, check=True).stdout
    return {line.split()[-1] for line in out.splitlines()}


def differences(build):
    listed, there = set(LIST.read_text().split()), exports(build)
    for name in sorted(there - listed):
        yield f"{build}/libquickstep.so: exports {name}, which is not in {LIST}"
    for name in sorted(listed - there):
        yield f"{build}/libquickstep.so: does not export {name} of {LIST}"


def main():
    build, update = sys.argv[1], "--update" in sys.argv
    if update:
        LIST.write_text("".join(f"{name}\n" for name in sorted({d[3] for d in declared()})))
    bad = [*undocumented(), *not_alone(), *differences(build)]
    print("\n".join(bad) if bad else f"api: {len(exports(build))} names, all documented")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
