#!/usr/bin/env python3
"""Run pytest and print its results as TAP, so that Meson counts each test.

usage: pytest_tap.py [pytest arguments]
"""
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml


def line(number, case):
    name = f"{case.get('classname')}::{case.get('name')}".replace("#", "")
    skipped = case.find("skipped")
    if skipped is not None:
        return f"ok {number} - {name} # SKIP {skipped.get('message', '')}"
    bad = case.find("failure") is not None or case.find("error") is not None
    return f"{'not ok' if bad else 'ok'} {number} - {name}"


def main():
    with tempfile.NamedTemporaryFile(suffix=".xml") as report:
        run = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore",
                              f"--junitxml={report.name}", *sys.argv[1:]],
                             env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        sys.stderr.write(run.stdout)
        cases = list(xml.parse(report.name).iter("testcase")) if run.returncode in (0, 1) else []
    print(f"1..{len(cases)}" if cases else "1..0 # SKIP no tests" if run.returncode == 5 else "1..1")
    for number, case in enumerate(cases, 1):
        print(line(number, case))
    return 0 if run.returncode in (0, 5) else 1


if __name__ == "__main__":
    sys.exit(main())
