#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""graph.py HARNESS: does each room include only what it may?

The rooms and their order stand once, in the list of HARNESS/CMakeLists.txt, lowest first. A room may include its own headers, and the
public ones (assay/<room>/...) of rooms that come before it and that its library is linked with, directly or through others. A file
of it that is a header without folder ("box_end.h") lies in the room itself. Prints a line for each fault; exit status 1 where there
is one.
"""
import pathlib
import re
import sys

SOURCES = (".cpp", ".h", ".inl")


def rooms_of(harness):
    """The rooms, lowest first."""
    text = (harness / "CMakeLists.txt").read_text(encoding="utf-8")
    listed = re.search(r"foreach\(room IN ITEMS ([^)]*)\)", text)
    return listed[1].split() if listed else []


def links_of(harness, rooms):
    """room -> the rooms whose libraries its targets name. A library is called assay_<room>, or declared in the room's folder."""
    declared, named = {}, {}
    for room in rooms:
        text = re.sub(r"#.*", "", (harness / room / "CMakeLists.txt").read_text(encoding="utf-8"))
        for target in re.findall(r"add_(?:library|executable)\(\s*([\w-]+)", text):
            declared[target] = room
        named[room] = set(re.findall(r"[\w-]+", " ".join(re.findall(r"target_link_libraries\(([^)]*)\)", text))))
    return {room: {declared[word] for word in words if word in declared} - {room} for room, words in named.items()}


def reachable(links, room):
    found, waiting = set(), [room]
    while waiting:
        for other in links[waiting.pop()] - found:
            found.add(other)
            waiting.append(other)
    return found


def includes_of(path):
    """All but the headers of the system and of libraries. Some sources hold others, as raw strings."""
    text = re.sub(r'R"(\w*)\(.*?\)\1"', "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = re.findall(r'^\s*#\s*include\s*(["<])([^">]+)[">]', text, re.MULTILINE)
    return [name for quote, name in found if quote == '"' or name.startswith("assay/")]


def own_headers(folder):
    """What a file of the room may include without naming a room: its headers, and those that CMake writes."""
    own = {path.name for path in folder.rglob("*.h")} | {str(path.relative_to(folder)) for path in folder.rglob("*.h")}
    return own | {path.name.removesuffix(".in") for path in folder.rglob("*.h.in")}


def fault_of(name, room, rooms, within, own):
    """What is wrong with room's including `name`; empty where nothing is."""
    if name.startswith("assay/"):
        other = name.split("/")[1]
        if other not in rooms:
            return "which is no room"
        if other == room:
            return ""
        if rooms.index(other) > rooms.index(room):
            return f"of {other}, which is above it"
        return "" if other in within else f"of {other}, which its library is not linked with"
    if ".." in pathlib.PurePosixPath(name).parts:
        return "by a way out of the room"
    return "" if name in own else "which is no header of its own"


def faults(harness):
    rooms = rooms_of(harness)
    if not rooms:
        yield f"{harness}/CMakeLists.txt: has no list of rooms"
        return
    for folder in sorted(path.name for path in harness.iterdir() if path.is_dir()):
        if folder not in rooms:
            yield f"{folder}: is no room of the list in CMakeLists.txt"
    links = links_of(harness, rooms)
    for room in rooms:
        for other in sorted(links[room]):
            if rooms.index(other) > rooms.index(room):
                yield f"{room}: is linked with {other}, which is above it"
        within, own = reachable(links, room), own_headers(harness / room)
        for path in sorted(path for path in (harness / room).rglob("*") if path.suffix in SOURCES):
            for name in includes_of(path):
                if fault := fault_of(name, room, rooms, within, own):
                    yield f"{path.relative_to(harness)}: includes {name}, {fault}"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    harness = pathlib.Path(sys.argv[1])
    found = list(faults(harness))
    print("\n".join(found) if found else f"{len(rooms_of(harness))} rooms, each includes those below it alone")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
