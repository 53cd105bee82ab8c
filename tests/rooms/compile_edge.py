#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compile_edge.py NINJA BUILD: is a candidate compiled again only for what compiles it?

Of each reference's build edge in BUILD: its direct inputs are the source, the plan, the toolchain, the stub or what reads device code and
kernel.h, and assay-compile. That program is made of the rooms of ALLOWED alone, so that no stage, report or oracle is behind it. The program of
all other stages is made of none of FORBIDDEN: a change there makes no kept result old.
"""
import pathlib
import re
import subprocess
import sys

ALLOWED = {"record", "spec", "sandbox", "plan", "compile"}
FORBIDDEN = {"report", "generate", "score", "command"}
INPUTS = {
    "cpp": (r"/references?/.*\.cpp", r"cpp\.plan\.json", r"cpp\.toolchain\.json", r"stub\.cpp\.o", r"bin/assay-compile"),
    "opencl": (r"/references?/.*\.cl", r"opencl\.plan\.json", r"opencl\.toolchain\.json", r"bin/assay-opencl", r"context/kernel\.h", r"bin/assay-compile"),
}


def said(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def direct_inputs(ninja, build, targets):
    """Of each target, explicit and implicit ones; a line that begins with || is an order, and starts nothing."""
    text = said(ninja, "-C", build, "-t", "query", *targets)
    for name, section in re.findall(r"^(\S+):\n  input:.*\n((?:    .*\n)*)", text, re.MULTILINE):
        lines = [line.strip() for line in section.splitlines()]
        yield name, [line.lstrip("| ") for line in lines if not line.startswith("||")]


def main():
    ninja, build = sys.argv[1], pathlib.Path(sys.argv[2])
    faults, backends = [], {}
    known = set(re.findall(r"^(\S+): ", said(ninja, "-C", build, "-t", "targets", "all"), re.MULTILINE))
    for plan in sorted((build / "kernelassay").glob("*/*.plan.json")):
        backend = plan.name.removesuffix(".plan.json")
        target = f"kernelassay/{plan.parent.name}/reference/000.{backend}.compile.json"
        if backend in INPUTS and target in known:
            backends[target] = backend
    edges = 0
    for target, inputs in direct_inputs(ninja, build, backends):
        edges += 1
        faults += [f"{target}: depends on {path}" for path in inputs
                   if not any(re.search(allowed + "$", path) for allowed in INPUTS[backends[target]])]
    if edges != len(backends):
        faults.append(f"Ninja told of {edges} edges of {len(backends)}")
    rooms, of_judge = (set(re.findall(r"harness/([a-z]+)/", said(ninja, "-C", build, "-t", "inputs", program)))
                       for program in ("bin/assay-compile", "bin/assay-judge"))
    faults += [f"bin/assay-compile: is made of the room {room}" for room in sorted(rooms - ALLOWED)]
    faults += [f"bin/assay-judge: is made of the room {room}" for room in sorted(of_judge & FORBIDDEN)]
    print("\n".join(faults) if faults else f"{edges} edges, each of what compiles; assay-compile of {len(rooms)} rooms")
    return 1 if faults or not edges or "compile" not in rooms or "stages" not in of_judge else 0


if __name__ == "__main__":
    sys.exit(main())
