#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""one_table.py HARNESS: the verdicts stand in record/verdict.h alone. No other source spells one or has a case for each, and the
schemas take their list from there: a new verdict is a change of one file."""
import pathlib
import re
import sys

HARNESS = pathlib.Path(sys.argv[1])
TABLE = HARNESS / "record/include/assay/record/verdict.h"


def faults(path, names):
    text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
    if path.name.endswith(".schema.json.in"):
        if "@VERDICTS@" not in text:
            yield "has no @VERDICTS@"
        text = "".join(re.findall(r'"enum": \[[^]]{60,}\]', text))  # a rule may name a verdict or two, no list may
    for name in names:
        if f'"{name}"' in text:
            yield f'spells "{name}"'
    if re.search(r"\bcase (\w+::)*Verdict::", text):
        yield "has a case for a verdict"


def main():
    names = re.findall(r'VerdictInfo{Verdict::\w+, "(\w+)"', TABLE.read_text(encoding="utf-8"))
    assert len(names) > 10, f"{TABLE}: no table of verdicts"
    files = [path for path in HARNESS.rglob("*") if path.suffix in (".cpp", ".h", ".inl") or path.name.endswith(".schema.json.in")]
    found = [f"{path.relative_to(HARNESS)}: {fault}" for path in sorted(files) if path != TABLE for fault in faults(path, names)]
    print("\n".join(found) if found else f"{len(names)} verdicts in one table, {len(files)} files read")
    return 1 if found else 0


sys.exit(main())
