#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is every test that the preset dev leaves out run by a line of CONTRIBUTING.md's section "Before a release"?

usage: campaigns.py <ctest> <build folder> <source folder>

A line runs a test where the pattern after its -L matches one of the test's labels. Prints each test that none runs, and each line
that runs nothing; exit 1 where there is one.
"""
import json
import pathlib
import re
import subprocess
import sys


def left_out(source):
    """The pattern of labels that the preset excludes."""
    presets = json.loads((source / "CMakePresets.json").read_text())["testPresets"]
    return next(preset for preset in presets if preset["name"] == "dev")["filter"]["exclude"]["label"]


def labels_of_tests(ctest, build):
    done = subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    for test in json.loads(done.stdout)["tests"]:
        properties = {each["name"]: each["value"] for each in test.get("properties", [])}
        yield test["name"], properties.get("LABELS", [])


def patterns(source):
    section = re.search(r"^## Before a release\n(.*?)^## ", (source / "CONTRIBUTING.md").read_text(), re.MULTILINE | re.DOTALL)
    return re.findall(r"-L '([^']+)'", section[1]) if section else []


def main():
    ctest, build, source = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    lines, used, bad, count = patterns(source), set(), 0, 0
    for name, labels in labels_of_tests(ctest, build):
        if not any(re.search(left_out(source), label) for label in labels):
            continue
        count += 1
        runs = {line for line in lines if any(re.search(line, label) for label in labels)}
        used |= runs
        if not runs:
            print(f"{name}: no line of CONTRIBUTING.md's 'Before a release' runs it. labels: {' '.join(labels)}")
            bad += 1
    for line in sorted(set(lines) - used):
        print(f"CONTRIBUTING.md, 'Before a release': -L '{line}' runs no test")
        bad += 1
    print(f"{count} tests are left to campaigns, {len(lines)} lines run them")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    sys.exit(main())
