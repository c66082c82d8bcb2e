#!/usr/bin/env python3
"""Budgets and banned words: what a reader should never have to meet.

Files of at most 600 lines, functions of at most 60, no function that hides an overflow or ends the
process, memory through base/alloc.h only, nothing printed below cli/, no leftover notes, no host of
a package registry and no path of somebody's machine in any text.
"""
import pathlib
import re
import subprocess
import sys

FILE_LINES, FUNCTION_LINES = 600, 60
LONG_FILES = set()      # path
LONG_FUNCTIONS = set()  # (path, first line of the function's head)

CALL = r"(?<![\w.>])(?:{})\s*\("
BANNED = [  # pattern, where it holds, where it does not, what to use
    (CALL.format("atoi|atof|strtod|strtof|strtol|strtoul|strtoll|strtoull|sscanf"),
     ("src/", "cli/"), ("src/base/number.c",), "base/number.h"),
    (CALL.format("strtok|sprintf|vsprintf|strcpy|strcat|gets|rand|srand|alloca"),
     ("src/", "cli/", "examples/", "tests/"), (), "a bounded form"),
    (CALL.format("exit|abort|_exit"), ("src/",), (), "a qs_status"),
    (CALL.format("malloc|calloc|realloc|free|strdup|strndup|aligned_alloc|posix_memalign"),
     ("src/",), ("src/base/alloc.c",), "base/alloc.h"),
    (CALL.format("printf|fprintf|vfprintf|puts|fputs|putchar|perror"), ("src/",), (),
     "a qs_error: only cli/ prints"),
]
LEFTOVER = re.compile("|".join(["TO" + "DO", "FIX" + "ME", r"\bX" + r"XX\b"]))
HOSTS = re.compile("|".join(part + end for part, end in (
    ("pypi", r"\.org"), ("pythonhosted", r"\.org"), ("debian", r"\.org/debian"),
    ("npmjs", r"\.(?:org|com)"), ("conda", r"\.(?:org|io)"), ("crates", r"\.io"))))
MACHINE = re.compile(r"(?<![\w.~$}])/(?:work|root|home|tmp/keras|mnt|Users)/")


def tracked():
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], text=True,
                           capture_output=True, check=True).stdout.split("\n")
    return [pathlib.Path(n) for n in names if n and pathlib.Path(n).is_file()]


def without_comments(text):
    """Comments and string contents blanked, line numbers kept."""
    def blank(found):
        return re.sub(r"[^\n]", " ", found[0])
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def long_functions(path, lines):
    head, begin = "", 0
    for number, line in enumerate(lines, 1):
        if line == "{":
            head, begin = lines[number - 2].strip(), number
        elif line == "}" and begin:
            if number - begin > FUNCTION_LINES and (str(path), head) not in LONG_FUNCTIONS:
                yield f"{path}:{begin}: {number - begin} lines in one function ({head})"
            begin = 0


def code_faults(path, text):
    lines = text.splitlines()
    if len(lines) > FILE_LINES and str(path) not in LONG_FILES:
        yield f"{path}: {len(lines)} lines, at most {FILE_LINES}"
    if path.suffix not in (".c", ".h"):
        return
    yield from long_functions(path, lines)
    for number, line in enumerate(without_comments(text).splitlines(), 1):
        for pattern, inside, outside, instead in BANNED:
            if str(path).startswith(inside) and not str(path).startswith(outside or "\0"):
                for found in re.finditer(pattern, line):
                    yield f"{path}:{number}: {found[0].strip('( ')}: use {instead}"


def text_faults(path, text):
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, what in ((LEFTOVER, "a leftover note"), (HOSTS, "host of a registry"),
                              (MACHINE, "path of one machine")):
            found = pattern.search(line)
            if found:
                yield f"{path}:{number}: {what}: {found[0]}"


def faults(path):
    try:
        text = path.read_text()
    except UnicodeDecodeError:
        return
    yield from text_faults(path, text)
    if path.suffix in (".c", ".h", ".k", ".def", ".py", ".sh", ".build"):
        yield from code_faults(path, text)


def main():
    paths = tracked()
    bad = [text for path in paths for text in faults(path)]
    print("\n".join(bad) if bad else f"sizes: {len(paths)} files within their budgets")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
