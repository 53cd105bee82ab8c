#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""units.py CMAKE SOURCE WORK JOBS [COMMIT]: do the rooms compile as the preset evaluate compiles them, several sources to a unit?

There two sources of a room may not give one name in their anonymous namespaces to different things. Configures the preset in WORK and
parses each unit, or a third of them, which COMMIT chooses; nothing is generated.
"""
import concurrent.futures
import json
import pathlib
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from commit_share import commit_share  # noqa: E402

SHARE = 3


def syntax_check(entry):
    """The compiler's words about one unit; empty where it is fine."""
    words = shlex.split(entry["command"])
    while not words[0].endswith(("c++", "g++", "clang++")):  # the compiler's launcher
        words.pop(0)
    del words[words.index("-o"):words.index("-o") + 2]
    words = [word for word in words if word != "-c"]
    done = subprocess.run(words + ["-fsyntax-only", "-w"], cwd=entry["directory"], capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def main():
    cmake, source, work, jobs = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), int(sys.argv[4])
    configured = subprocess.run([cmake, "--preset", "evaluate", "-S", source, "-B", work, "-DKERNELASSAY_CANDIDATES="],
                                cwd=source, capture_output=True, text=True)
    if configured.returncode:
        print(configured.stdout + configured.stderr)
        return 1
    entries = json.loads((work / "compile_commands.json").read_text())
    units = [entry for entry in entries if f"{work}/harness/" in entry["file"] and "/Unity/" in entry["file"]]
    if len(sys.argv) > 5:
        chosen = commit_share([entry["file"].removeprefix(str(work)) for entry in units], sys.argv[5], SHARE)
        units = [entry for entry in units if entry["file"].removeprefix(str(work)) in chosen]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        faults = [words for words in pool.map(syntax_check, units) if words]
    print("\n".join(faults) if faults else f"{len(units)} units of several sources compile")
    return 1 if faults or not units else 0


if __name__ == "__main__":
    sys.exit(main())
