#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""namespaces.py HARNESS: is what each room declares in the room's namespace, assay::<room>?

A file of a room opens that namespace and those within it, by their whole name; a header does. Of another namespace it may declare classes
("namespace onnx { class GraphProto; }"), and PUBLIC is what users write against. Programs may have names outside of all namespaces.
Prints a line for each fault; exit status 1 where there is one.
"""
import pathlib
import re
import sys

from graph import SOURCES, rooms_of

# What a task's own oracle.cpp and verify.cpp are written with.
PUBLIC = {"oracle/include/assay/oracle/harness.h": "assay::harness"}


def code_of(text):
    """Without comments and what strings hold, which may be sources."""
    token = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
    return token.sub(lambda found: " " if found[0][0] == "/" else '""', text)


def namespaces_of(code):
    """(whole name, what it holds) of each namespace that has a name."""
    spans = []
    for opened in re.finditer(r"\bnamespace\s+(\w[\w:]*)\s*\{", code):
        depth, end = 1, opened.end()
        while depth and end < len(code):
            depth += {"{": 1, "}": -1}.get(code[end], 0)
            end += 1
        around = [name for name, start, until in spans if until >= end]
        spans.append((opened[1], opened.end(), end))
        yield "::".join(around + [opened[1]]), code[opened.end():end - 1]


def faults(harness):
    for room in rooms_of(harness):
        for path in sorted(path for path in (harness / room).rglob("*") if path.name.removesuffix(".in").endswith(SOURCES)):
            name = str(path.relative_to(harness))
            own = PUBLIC.get(name, f"assay::{room}")
            opened = list(namespaces_of(code_of(path.read_text(encoding="utf-8"))))
            others = [(other, held) for other, held in opened if not f"{other}::".startswith(f"{own}::")]
            for other, held in others:
                if not re.fullmatch(r"(\s*(class|struct) \w+;)+\s*", held):
                    yield f"{name}: opens the namespace {other}, its room's is {own}"
            if ".h" in path.suffixes and len(others) == len(opened):
                yield f"{name}: does not open {own}"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    harness = pathlib.Path(sys.argv[1])
    found = list(faults(harness))
    rooms = rooms_of(harness)
    print("\n".join(found) if found else f"{len(rooms)} rooms, each in its own namespace")
    return 1 if found or not rooms else 0


if __name__ == "__main__":
    sys.exit(main())
