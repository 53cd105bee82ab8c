#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the full sandbox adds to a stage: the real programs on one candidate, in full and in none, in turn.

usage: measure.py <assay> <plan.json> <source> [pairs]

Prints for the stages compile and test the median over pairs of the difference in wall time, with its 95 % interval (order
statistics of the median, exact binomial), and for the stage bench the handshake that is subtracted from each timed call.
Exit 1 where the full sandbox adds more than 10 ms to a stage (median) or 40 us to the handshake, where a stage does not end with
PASS, and where the machine does not offer the full tier.
"""
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import plan as plans  # noqa: E402

MOST_MILLISECONDS, MOST_MICROSECONDS = 10, 40


def median_interval(values):
    """Median and its 95 % interval by order statistics (binomial with p = 1/2)."""
    values = sorted(values)
    n, below, tail = len(values), -1, 0.0
    while tail + math.comb(n, below + 1) / 2**n <= 0.025:
        below += 1
        tail += math.comb(n, below) / 2**n
    below = max(below, 0)
    middle = (values[(n - 1) // 2] + values[n // 2]) / 2
    return middle, values[below], values[n - 1 - below]


class Sandbox:
    """The plan of one task, with the layers of the sandbox as this benchmark wants them."""

    def __init__(self, assay, plan, source, folder, layers):
        self.assay, self.source, self.folder = assay, source, folder
        folder.mkdir()
        plan = dict(plan, task=dict(plan["task"], cases=str(folder / "cases.bin")),
                    settings=dict(plan["settings"], sandbox=str(folder / "sandbox.json"), machine=str(folder / "machine.json")))
        (folder / "plan.json").write_text(json.dumps(plan))
        for fixture in ("cases", "timing"):
            self.call(fixture, "--seed", "1")  # the same work on both sides
        self.stage("build", "--source", source)  # probes, and keeps what it found
        found = json.loads((folder / "sandbox.json").read_text())
        if not all(found["layers"].values()):
            sys.exit("tiers: this machine does not offer the full tier: " + json.dumps(found["refused"]))
        found["layers"] = {layer: layers for layer in found["layers"]}
        (folder / "sandbox.json").write_text(json.dumps(found))

    def call(self, command, *arguments):
        program = [self.assay + "-compile"] if command == "build" else [self.assay + "-judge", command]
        return subprocess.run([*program, "--plan", self.folder / "plan.json", *arguments],
                              stdout=subprocess.PIPE, check=False).stdout

    def stage(self, stage, *arguments):
        """Record of one stage, and its wall time in milliseconds."""
        begin = time.perf_counter()
        out = self.call(stage, "--run", "tiers", "--sample", "0", "--prefix", self.folder / "kernel", *arguments)
        elapsed = (time.perf_counter() - begin) * 1e3
        record = json.loads(out.split(b"\n", 1)[0][len("assay: "):]) if out else {}
        if stage != "build" and not (record.get("verdict") == "PASS" or record.get("doubt") == "machine"):
            sys.exit(f"tiers: the stage {stage} ends with {record}")
        return record, elapsed


def holds(what, got, limit, unit):
    print(f"tiers: {what} {got:+.1f} {unit}, the limit {limit} {unit}: {'good' if got <= limit else 'MISSED'}")
    return got <= limit


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    assay, plan, source = sys.argv[1], plans.load(sys.argv[2]), sys.argv[3]
    pairs = int(sys.argv[4]) if len(sys.argv) == 5 else 40
    good, handshakes = True, {}
    with tempfile.TemporaryDirectory() as scratch:
        full = Sandbox(assay, plan, source, pathlib.Path(scratch) / "full", True)
        none = Sandbox(assay, plan, source, pathlib.Path(scratch) / "none", False)
        for stage, arguments in (("build", ("--source", source)), ("test", ())):
            differences = []
            for _ in range(pairs):
                wall = {}
                for sandbox in random.sample((full, none), 2):
                    _, wall[sandbox] = sandbox.stage(stage, *arguments)
                differences.append(wall[full] - wall[none])
            middle, low, high = median_interval(differences)
            print(f"{stage:8} full - none: {middle:+.2f} ms per candidate, 95 % [{low:+.2f}, {high:+.2f}]")
            good &= holds(f"the full sandbox adds to {stage}", middle, MOST_MILLISECONDS, "ms")
        for name, sandbox in (("full", full), ("none", none)):
            subprocess.run([assay + "-judge", "machine", "--out", sandbox.folder / "machine.json"], stdout=subprocess.DEVNULL, check=True)
            record, _ = sandbox.stage("bench")
            handshakes[name] = record["overhead_ns"] / 1e3
            print(f"bench    {name}: tier {record['tier']}, handshake {record['overhead_ns'] / 1e3:.1f} us per timed call, subtracted")
    good &= holds("the full sandbox adds to the handshake", handshakes["full"] - handshakes["none"], MOST_MICROSECONDS, "us")
    return 0 if good else 1


sys.exit(main())
