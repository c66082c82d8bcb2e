#!/usr/bin/env python3
"""Run every test that Meson knows and add up the single cases.

usage: run_tests.py BUILD [meson test arguments]

The last line is "N passed, N failed", with ", N skipped" where some were. A test that prints TAP
(Criterion, pytest, the golden runner) counts as many as it ran; any other counts as one.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

CASE = re.compile(r"^(not )?ok\b(.*)$", re.M)
PLAN = re.compile(r"^1\.\.(\d+)", re.M)


def count(test):
    """(passed, failed, skipped) of one finished test."""
    result, out = test["result"], test.get("stdout", "")
    plan = PLAN.search(out)
    if not plan:
        return {"OK": (1, 0, 0), "SKIP": (0, 0, 1)}.get(result, (0, 1, 0))
    cases = CASE.findall(out)
    failed = sum(bool(bad) for bad, _ in cases)
    skipped = sum(not bad and "# SKIP" in text for bad, text in cases)
    lost = max(0, int(plan[1]) - len(cases))  # planned, but it died before them
    if not cases and result == "SKIP":
        return 0, 0, 1
    if result not in ("OK", "SKIP") and failed + lost == 0:
        lost = 1
    return len(cases) - failed - skipped, failed + lost, skipped


def reasons(test):
    return re.findall(r"# SKIP (.*)$", test.get("stdout", ""), re.M)


def main():
    build, *rest = sys.argv[1:]
    log = pathlib.Path(build, "meson-logs", "testlog.json")
    log.unlink(missing_ok=True)
    subprocess.run(["meson", "test", "-C", build, "--print-errorlogs", *rest], check=False)
    if not log.exists():
        print("0 passed, 1 failed")
        return 1
    tests = [json.loads(text) for text in log.read_text().splitlines() if text]
    passed, failed, skipped = (sum(part) for part in zip(*map(count, tests))) if tests else (0, 1, 0)
    skips = collections.Counter(reason for test in tests for reason in reasons(test))
    for reason, times in sorted(skips.items()):
        print(f"skipped {times}: {reason}")
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
