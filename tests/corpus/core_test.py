#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The suite core follows its rule: of each category one task of each difficulty that three or more of its tasks have, none that is
degenerate, all with a C++ reference. The tasks of the example candidates are among them, since scripts/evaluate times them anyway.

usage: core_test.py <source>
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from declared_tasks import declared_tasks  # noqa: E402

FEWEST = 3  # tasks of a difficulty in a category, of which one is in core


def main():
    source = pathlib.Path(sys.argv[1])
    groups = re.findall(r"^  (\w+): \[(.*)\]$", (source / "tasks/suites/core.yaml").read_text(), re.MULTILINE)
    listed = [(category, name) for category, names in groups for name in names.split(", ")]
    core = set(listed)
    faults = [] if len(core) == len(listed) else ["a task is there twice"]
    kinds, has = {}, {}
    for task in declared_tasks(source / "tasks"):
        difficulty = re.findall(r"\bdifficulty: *(\d)", task.text)
        if not difficulty or "degenerate:" in task.text:
            continue
        kind = (task.category, int(difficulty[-1]))
        kinds[kind] = kinds.get(kind, 0) + 1
        if (task.category, task.name) in core:
            core.remove((task.category, task.name))
            has.setdefault(kind, []).append(task.name)
            if not (source / "references" / task.category / f"{task.name}.cpp").exists():
                faults.append(f"{task.name} has no C++ reference")
    faults += [f"{category}: {name} is no task there, or is degenerate" for category, name in sorted(core)]
    for kind in sorted(kinds):
        expected = 1 if kinds[kind] >= FEWEST else 0
        if len(has.get(kind, [])) != expected:
            faults.append(f"category {kind[0]}, difficulty {kind[1]}: expected {expected} of {kinds[kind]} tasks, got {' '.join(has.get(kind, [])) or 'none'}")
    examples = {path.name for path in (source / "generated").glob("example-*/*") if path.is_dir()}
    faults += [f"{name} has example candidates and is not there" for name in sorted(examples - {name for _, name in listed})]
    for fault in faults:
        print(f"tasks/suites/core.yaml: {fault}. do: keep the rule of docs/tasks.md")
    if not faults:
        print(f"core: {len(listed)} tasks of {len(groups)} categories: good")
    return 1 if faults or not kinds else 0


if __name__ == "__main__":
    sys.exit(main())
