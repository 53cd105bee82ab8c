#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""by_hand.py BUILD [TASK ...]: do our verdicts on program tasks agree with those of their commands, run by hand?

Of each task of tasks/api that BUILD can judge (without a GPU those in C++ alone), or of those named, the reference, the solutions of
wrong/<task>/ and an empty file are judged twice in each way:

  by hand   context, test and solution are copied into one folder; build_command and test_command run there in a shell, and a solution
            passes that leaves both with 0: ComputeEval's rule, without its matcher of source_references
  judged    by the stages compile and test of assay-judge, after assay-program has built the test once

Prints each solution whose four verdicts differ, and the processor seconds of a solution of each task in both ways. The test's own build is
shared by ten solutions. Exit status: 0; 1 where verdicts differ.
"""
import collections
import concurrent.futures
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

import yaml

import judge

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED_BY = 10  # solutions of a task
ROUNDS = 2
TESTS = threading.Semaphore(4)  # at a time: they share a device

Solution = collections.namedtuple("Solution", "task name text")
Outcome = collections.namedtuple("Outcome", "passed what seconds")


class Stopwatch:
    """Processor seconds of commands, and of all that they waited for."""

    def __init__(self):
        self.seconds = 0

    def run(self, command, **options):
        """The exit status and the output."""
        with tempfile.TemporaryFile() as output:
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.DEVNULL, **options)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            self.seconds += usage.ru_utime + usage.ru_stime
            output.seek(0)
            return child.returncode, output.read()


class Task:
    """A task and its plan, in a folder of its own."""

    def __init__(self, build, name, folder):
        self.build, self.name, self.folder = build, name, folder
        self.files = ROOT / "tasks/api" / name
        self.spec = yaml.safe_load((self.files / "problem-spec.yaml").read_text(encoding="utf-8"))
        (self.reference,) = (self.files / "solution").iterdir()  # by whose name all solutions go
        self.plan = judge.tree(build, name, folder, seconds=None)
        watch = Stopwatch()
        status, said = watch.run([build / "bin/assay-program", "test", "--plan", self.plan])
        if status != 0:
            raise SystemExit(f"by_hand: {name}: its test does not build: {said}")
        self.seconds_of_test = watch.seconds

    def solutions(self):
        yield Solution(self, "reference", self.reference.read_text(encoding="utf-8"))
        for file in sorted((ROOT / "tests/program/wrong" / self.name).iterdir()):
            yield Solution(self, file.stem, file.read_text(encoding="utf-8"))
        yield Solution(self, "empty", "")

    def by_hand(self, solution):
        watch = Stopwatch()
        seconds = str(self.spec.get("timeout_seconds") or 60)
        with tempfile.TemporaryDirectory() as work:
            for part in ("context", "test"):
                shutil.copytree(self.files / part, work, dirs_exist_ok=True)
            pathlib.Path(work, self.reference.name).write_text(solution.text, encoding="utf-8")
            status, _ = watch.run(["timeout", seconds, "sh", "-c", self.spec["build_command"]], cwd=work)
            if status != 0:
                return Outcome(False, "does not build", watch.seconds)
            with TESTS:
                status, _ = watch.run(["timeout", seconds, "sh", "-c", self.spec["test_command"]], cwd=work)
        return Outcome(status == 0, f"status {status}", watch.seconds)

    def judged(self, solution, number):
        watch = Stopwatch()
        source = self.folder / f"candidates/{number}" / self.reference.name
        source.parent.mkdir(parents=True)
        source.write_text(solution.text, encoding="utf-8")
        prefix = self.folder / f"run/{number:03}.program"
        common = ["--plan", self.plan, "--run", "try", "--sample", str(number), "--prefix", prefix, "--source", source]
        watch.run([self.build / "bin/assay-program", "candidate", *common])
        record, stage = self.stage("compile", common, watch), "compile"
        if record["verdict"] == "PASS":
            with TESTS:
                record, stage = self.stage("test", common, watch), "test"
        return Outcome(record["verdict"] == "PASS", f"{record['verdict']} in {stage}", watch.seconds)

    def stage(self, name, common, watch):
        _, said = watch.run([self.build / "bin/assay-judge", name, *common])
        return json.loads(said.partition(b"\n")[0].decode("ascii").removeprefix("assay: "))


def outcomes_of(numbered):
    number, solution = numbered
    return solution, [solution.task.by_hand(solution) for _ in range(ROUNDS)], [
        solution.task.judged(solution, ROUNDS * number + round) for round in range(ROUNDS)]


def seconds(outcomes):
    return sum(each.seconds for each in outcomes) / len(outcomes)


def tasks_of(build):
    """Those that can run here: without a GPU none that nvcc builds."""
    names = sorted(plan.parent.name for plan in (build / "kernelassay").glob("*/program.plan.json"))
    known = [name for name in names if (ROOT / "tests/program/wrong" / name).is_dir()]
    if pathlib.Path("/dev/nvidiactl").exists():
        return known
    return [name for name in known if "nvcc" not in (ROOT / "tasks/api" / name / "problem-spec.yaml").read_text(encoding="utf-8")]


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    names = sys.argv[2:] or tasks_of(build)
    processors = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(processors) as pool:
        tasks = list(pool.map(lambda name: Task(build, name, pathlib.Path(work, name)), names))
        results = list(pool.map(outcomes_of, enumerate(each for task in tasks for each in task.solutions())))
    differing = 0
    for solution, hand, ours in results:
        if len({each.passed for each in hand + ours}) > 1:
            differing += 1
            print(f"{solution.task.name}, {solution.name}: by hand {', '.join(each.what for each in hand)}; "
                  f"judged {', '.join(each.what for each in ours)}")
    print(f"\n{'task':24}  by hand    judged  ratio   (processor seconds of a solution)")
    ratios = []
    for task in tasks:
        mine = [(seconds(hand), seconds(ours)) for solution, hand, ours in results if solution.task is task and solution.name != "empty"]
        hand = sum(pair[0] for pair in mine) / len(mine)
        ours = sum(pair[1] for pair in mine) / len(mine) + task.seconds_of_test / SHARED_BY
        ratios.append(hand / ours)
        print(f"{task.name:24}  {hand:7.2f}   {ours:7.2f}  {hand / ours:5.2f}")
    print(f"geometric mean of the ratios: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}")
    print(f"{len(results)} solutions of {len(tasks)} tasks, {ROUNDS} rounds of each: {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
