#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Has every FATAL_ERROR of the project's CMake code a project that ends in it?

usage: every_error.py <source folder> <folder of what the projects said>

CMake names file and line of the message() that ends it: so it is seen, not claimed, which one a project has reached. Prints each
FATAL_ERROR that none has; exit 1 where there is one, or where nothing was found to look at.
"""
import pathlib
import re
import sys

# Scripts that are a test each: a FATAL_ERROR is how they fail.
TESTS = ["tests/cmake/scenarios/*.cmake", "tests/cmake/consumer.cmake", "tests/cmake/packages.cmake",
         "tests/cmake/contributing.cmake",
         "tests/record/new_verdict.cmake", "tests/report/run_junit_project.cmake"]


def cmake_files(source):
    tests = {path for pattern in TESTS for path in source.glob(pattern)}
    for folder in ("cmake", "harness", "tasks", "tests"):
        for path in sorted((source / folder).rglob("*")):
            if (path.name == "CMakeLists.txt" or path.suffix == ".cmake") and path not in tests:
                yield path
    yield source / "CMakeLists.txt"


def errors_of(path):
    """(path, line) of each error, by where its message() begins, and how its text does."""
    text = path.read_text()
    for match in re.finditer(r"^[ \t]*message\(\s*(?:FATAL_ERROR|SEND_ERROR)\s*(.*)", text, re.MULTILINE):
        yield (path.resolve(), text.count("\n", 0, match.start()) + 1), match[1]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    source, said = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    reached = set()
    for report in said.glob("*.txt"):
        for path, line in re.findall(r"^CMake Error at (.+):(\d+) \(message\):$", report.read_text(), re.MULTILINE):
            reached.add((pathlib.Path(path).resolve(), int(line)))
    errors = dict(error for path in cmake_files(source) for error in errors_of(path))
    missing = [(place, text) for place, text in errors.items() if place not in reached]
    for (path, line), text in missing:
        print(f"{path.relative_to(source.resolve())}:{line}: no project ends in this error. do: add one to tests/cmake. it says: {text}")
    print(f"{len(errors)} errors, {len(errors) - len(missing)} with a project")
    return 1 if missing or not errors else 0


if __name__ == "__main__":
    sys.exit(main())
