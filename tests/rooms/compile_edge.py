#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compile_edge.py NINJA BUILD: is a candidate compiled again only for what compiles it?

Of each reference's build edge in BUILD: its direct inputs are the source, the plan, the toolchain, the stub or what reads device code and
kernel.h, and assay-compile. That program is made of the rooms of ALLOWED alone, so that no stage, report or oracle is behind it.
"""
import pathlib
import re
import subprocess
import sys

ALLOWED = {"record", "spec", "sandbox", "plan", "compile"}
INPUTS = {
    "cpp": (r"/references/.*\.cpp", r"cpp\.plan\.json", r"cpp\.toolchain\.json", r"stub\.cpp\.o", r"bin/assay-compile"),
    "opencl": (r"/references/.*\.cl", r"opencl\.plan\.json", r"opencl\.toolchain\.json", r"bin/assay-opencl", r"context/kernel\.h", r"bin/assay-compile"),
}


def said(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def direct_inputs(ninja, build, target):
    """Explicit and implicit ones; a line that begins with || is an order, and starts nothing."""
    text = said(ninja, "-C", build, "-t", "query", target)
    section = text[text.index("  input:"):text.index("  outputs:")]
    return [line.strip().lstrip("| ") for line in section.splitlines()[1:] if not line.strip().startswith("||")]


def main():
    ninja, build = sys.argv[1], pathlib.Path(sys.argv[2])
    faults, edges = [], 0
    targets = set(re.findall(r"^(\S+): ", said(ninja, "-C", build, "-t", "targets", "all"), re.MULTILINE))
    for plan in sorted((build / "kernelassay").glob("*/*.plan.json")):
        task, backend = plan.parent.name, plan.name.removesuffix(".plan.json")
        target = f"kernelassay/{task}/reference/000.{backend}.compile.json"
        if backend not in INPUTS or target not in targets:
            continue
        edges += 1
        for path in direct_inputs(ninja, build, target):
            if not any(re.search(known + "$", path) for known in INPUTS[backend]):
                faults.append(f"{target}: depends on {path}")
    rooms = set(re.findall(r"harness/([a-z]+)/", said(ninja, "-C", build, "-t", "inputs", "bin/assay-compile")))
    faults += [f"bin/assay-compile: is made of the room {room}" for room in sorted(rooms - ALLOWED)]
    print("\n".join(faults) if faults else f"{edges} edges, each of what compiles; assay-compile of {len(rooms)} rooms")
    return 1 if faults or not edges or "compile" not in rooms else 0


if __name__ == "__main__":
    sys.exit(main())
