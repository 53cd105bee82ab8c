#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutation testing of the judge and the report themselves: do their tests notice small faults in the code that decides?

usage: judge_campaign.py --mutate TOOL --build BUILD --work DIR --source FILE --program TARGET --tests FILTER [--by PROGRAM] [--function NAME ...]

Mutants of one source of harness/ are compiled, one at a time, against a build that is there already: the mutant's object
file is put before the libraries when --program is linked, and the tests that --tests names are run. They are the program's own, or
those of --by, which is told by ASSAY_UNDER_TEST which program it tests. A mutant is

  no code      it does not compile                                                   not counted
  same code    optimised, its object file is the original's or an earlier survivor's  not counted
  killed       a test fails, crashes, or does not come to an end
  equivalent   all tests pass, and judge_equivalent.tsv says why none can tell it from the original
  survivor     all tests pass, and nobody has said why

Prints a table and each survivor. Exit status: 0; 1 for a survivor or a stale row; 2 where the campaign itself failed.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import queue
import re
import shlex
import subprocess
import sys

from campaign import ROOT, Failure, Mutant, Result, read_rows, report, run, stale_rows

NINJA = os.environ.get("NINJA", "ninja")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutate", type=pathlib.Path, required=True, help="the program of that name")
    parser.add_argument("--build", type=pathlib.Path, required=True, help="build folder that has the program")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for the mutants")
    parser.add_argument("--source", type=pathlib.Path, required=True, help="file below harness/, from the repository's root")
    parser.add_argument("--program", required=True, help="target that is linked with the mutant")
    parser.add_argument("--by", type=pathlib.Path, help="program of tests that start --program; without it, --program is one itself")
    parser.add_argument("--seconds", type=int, default=120,
                        help="of one run of the tests (default: 120); a busy machine is no reason to call a mutant killed")
    parser.add_argument("--tests", required=True, help="GoogleTest filter of the tests that must notice")
    parser.add_argument("--function", action="append", default=[], help="only this function; may be repeated")
    parser.add_argument("--count", type=int, default=999, help="mutants (default: all)")
    parser.add_argument("--shards", type=int, default=1, help="parts of the tests that run side by side, where none looks at times (default: 1)")
    parser.add_argument("--sample", action="append", default=[], help="only the mutant of this number; may be repeated")
    parser.add_argument("--equivalent", type=pathlib.Path, default=pathlib.Path(__file__).with_name("judge_equivalent.tsv"))
    options = parser.parse_args()
    options.least, options.least_each = 1, 0
    options.repro = lambda result: shlex.join(str(word) for word in test_command(options, options.work / f"{result.mutant.sample}.test"))
    try:
        name = str(options.source.relative_to("harness"))
        rows = {key: why for key, why in read_rows(options.equivalent).items() if key[0] == name}
        bench = Bench(options)
        mutants = [Mutant(name, *line.split("\t")) for line in bench.write_mutants().splitlines()]
        mutants = [mutant for mutant in mutants if not options.sample or mutant.sample in options.sample]
        bench.prepare()
        with concurrent.futures.ThreadPoolExecutor(bench.seats.qsize()) as pool:
            outcomes = list(pool.map(bench.try_mutant, (mutant.sample for mutant in mutants)))
            alive = [mutant.sample for mutant, outcome in zip(mutants, outcomes) if outcome == "survivor"]
            images = dict(zip(alive, pool.map(bench.optimised, alive)))
        results = classify(mutants, outcomes, images, bench.optimised("000"), rows)
    except Failure as failure:
        print(f"judge_campaign: {failure}", file=sys.stderr)
        return 2
    return report(results, stale_rows(rows, results, options.count == parser.get_default("count") and not options.sample), options)


def test_command(options, program):
    """`program`, an absolute path, is tested by itself or by --by."""
    program = program.resolve()
    tested = [program] if options.by is None else ["env", f"ASSAY_UNDER_TEST={program}", options.by.resolve()]
    return [*tested, f"--gtest_filter={options.tests}", "--gtest_fail_fast"]


def take_seats(processors, each):
    """What looks at times is tried on processors that no other mutant is tried on."""
    seats = queue.Queue()
    for first in range(0, max(1, len(processors) - each + 1), each):
        seats.put(processors[first:first + each])
    return seats


class Bench:
    """Compiles and links mutants with the commands of the build."""

    def __init__(self, options):
        self.options = options
        self.source = (ROOT / options.source).resolve()
        self.compiler = self.compile_command()
        self.linker = self.link_command()
        self.seats = take_seats(sorted(os.sched_getaffinity(0)), 1 if options.by is None else 2)

    def compile_command(self):
        database = self.options.build / "compile_commands.json"
        for entry in json.loads(database.read_text()):
            if pathlib.Path(entry["file"]).resolve() == self.source:
                words = shlex.split(entry["command"].replace("-isystem ", "-I"))
                kept = [word for word in words if re.match("-[ID]|-std=|-f|-m", word)]
                return [words[0], *kept, f"-I{self.source.parent}", "-w"]
        raise Failure(f"{database} does not compile {self.source}. do: configure and build first")

    def link_command(self):
        listed = run([NINJA, "-C", self.options.build, "-t", "commands", self.options.program])
        steps = [step for step in listed.splitlines()[-1].split(" && ") if " -o " in step]  # linking, then listing the tests
        if len(steps) != 1:
            raise Failure(f"{len(steps)} commands link {self.options.program}, one was expected. do: build it with Ninja")
        return shlex.split(steps[0])

    def write_mutants(self):
        includes = [word for word in self.compiler if word.startswith("-I")]
        functions = [word for name in self.options.function for word in ("--function", name)]
        return run([self.options.mutate, self.source, *includes, *functions, "--count", self.options.count,
                    "--out", self.options.work])

    def prepare(self):
        """What the source includes is compiled once; then the original must pass, or no mutant says anything."""
        includes = re.findall(r"^#include .*$", self.source.read_text(), re.MULTILINE)
        header = self.options.work / "prefix.h"
        header.write_text("\n".join(includes) + "\n")
        run([*self.compiler, "-O0", "-x", "c++-header", header, "-o", f"{header}.gch"])
        if self.try_mutant("000") != "survivor":
            raise Failure(f"{self.options.source}: the original itself does not pass. do: run its tests")

    def path(self, sample, suffix):
        return self.options.work / f"{sample}{suffix}"

    def try_mutant(self, sample):
        text, code, program = (self.path(sample, suffix) for suffix in (".cpp", ".o", ".test"))
        compiled = self.call([*self.compiler, "-O0", "-include", self.options.work / "prefix.h", "-c", text, "-o", code], None)
        if compiled != 0:
            return "no code"
        at = self.linker.index("-o")
        linked = [*self.linker[:at], "-o", program.resolve(), code.resolve(), "-Wl,--strip-debug", *self.linker[at + 2:]]
        run(linked, cwd=self.options.build)
        seat = self.seats.get()
        pinned = ["taskset", "--cpu-list", ",".join(map(str, seat)), *test_command(self.options, program)]
        count = self.options.shards
        shards = [["env", f"GTEST_TOTAL_SHARDS={count}", f"GTEST_SHARD_INDEX={shard}", *pinned] for shard in range(count)]
        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            passed = not any(pool.map(lambda shard: self.call(shard, self.options.seconds), shards))
        self.seats.put(seat)
        code.unlink()
        if not passed:
            program.unlink()
        outcome = "survivor" if passed else "killed"
        print(f"{sample}\t{outcome}", file=sys.stderr, flush=True)
        return outcome

    @staticmethod
    def call(command, seconds):
        """The exit status; a mutant that does not come to an end has failed."""
        try:
            return subprocess.run([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  stdin=subprocess.DEVNULL, timeout=seconds, check=False).returncode
        except subprocess.TimeoutExpired:
            return -1

    def optimised(self, sample):
        folder = self.path(sample, ".optimised")
        folder.mkdir(exist_ok=True)
        # All are compiled under one name, which stands in the object file.
        (folder / "mutant.cpp").write_text(self.path(sample, ".cpp").read_text())
        run([*self.compiler, "-O2", "-c", "mutant.cpp", "-o", "mutant.o"], cwd=folder)
        return (folder / "mutant.o").read_bytes()


def classify(mutants, outcomes, images, original, rows):
    seen = {original}
    results = []
    for mutant, outcome in zip(mutants, outcomes):
        if outcome == "survivor":
            image = images[mutant.sample]
            if image in seen:
                outcome = "same code"
            elif mutant.key() in rows:
                outcome = "equivalent"
            seen.add(image)
        results.append(Result(mutant, outcome, outcome))
    return results


if __name__ == "__main__":
    sys.exit(main())
